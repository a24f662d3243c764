-- What the scripts of matchmaking share. It stands before each of them; all get KEYS[1], any key of matchmaking, and
-- ARGV[1], what every key of matchmaking begins with. The keys made of it are in the slot of KEYS[1].
--
-- A ticket is live as long as its status is party, waiting, proposed or opening:
--   party -> waiting -> (proposed ->) opening -> matched | failed;  until opening also -> cancelled | expired.
-- Only a waiting ticket is in its lines (sorted sets by rating, for each game, number of players at the table, options
-- and whether it counts, size of party) and in `due`; only one that can expire is in `expiring`.

local prefix = ARGV[1]
local KEPT_SECONDS = 900
local RECENT = 100
local DUE, EXPIRING, DEADLINES, MATCHES = prefix .. 'due', prefix .. 'expiring', prefix .. 'deadlines', prefix .. 'matches'
local LIVE = {party = true, waiting = true, proposed = true, opening = true}

local function integer(number)
  return string.format('%.0f', number)
end

local function read_clock()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local now = read_clock()

local function ticket_key(id) return prefix .. 'ticket:' .. id end
local function match_key(id) return prefix .. 'match:' .. id end
local function player_key(id) return prefix .. 'player:' .. id end
local function code_key(code) return prefix .. 'code:' .. code end
local function queue_key(game) return prefix .. 'queue:' .. game end

local function line_key(game, players, line, size)
  return prefix .. 'line:' .. game .. ':' .. players .. ':' .. line .. ':' .. size
end

-- All fields of a hash by name; nil if there is none.
local function load(key)
  local flat = redis.call('HGETALL', key)
  if #flat == 0 then return nil end
  local fields = {}
  for i = 1, #flat, 2 do fields[flat[i]] = flat[i + 1] end
  return fields
end

local function load_ticket(id)
  local ticket = load(ticket_key(id))
  if ticket then ticket.id = id end
  return ticket
end

local function set_status(ticket, status)
  ticket.status = status
  redis.call('HSET', ticket_key(ticket.id), 'status', status)
  redis.call('PUBLISH', 'ticket:' .. ticket.id, status)
end

-- A ticket's name in its lines: of equals in rating the oldest comes first.
local function member_of(ticket)
  return string.format('%014.0f:%s', tonumber(ticket.queued_ms), ticket.id)
end

local function count_waiting(ticket, players)
  for n = tonumber(ticket.low), tonumber(ticket.high) do
    redis.call('HINCRBY', queue_key(ticket.game), 'waiting:' .. n, players)
  end
end

-- Puts a ticket among those that wait; others for it are looked for at `due_ms`.
local function enqueue(ticket, due_ms)
  set_status(ticket, 'waiting')
  for n = tonumber(ticket.low), tonumber(ticket.high) do
    local key = line_key(ticket.game, n, ticket.line, ticket.size)
    redis.call('ZADD', key, ticket['rating:' .. n], member_of(ticket))
  end
  redis.call('ZADD', DUE, integer(due_ms), ticket.id)
  count_waiting(ticket, tonumber(ticket.size))
  redis.call('PUBLISH', 'matchmaking', ticket.game)
end

-- Takes a ticket out of those that wait. Its next status is for the caller to set.
local function dequeue(ticket)
  for n = tonumber(ticket.low), tonumber(ticket.high) do
    redis.call('ZREM', line_key(ticket.game, n, ticket.line, ticket.size), member_of(ticket))
  end
  redis.call('ZREM', DUE, ticket.id)
  count_waiting(ticket, -tonumber(ticket.size))
end

-- Ends a live ticket.
local function finish(ticket, status)
  if ticket.status == 'waiting' then dequeue(ticket) end
  redis.call('ZREM', EXPIRING, ticket.id)
  for _, player in ipairs(cjson.decode(ticket.party)) do
    if redis.call('GET', player_key(player.id)) == ticket.id then redis.call('DEL', player_key(player.id)) end
  end
  if ticket.code then redis.call('DEL', code_key(ticket.code)) end
  redis.call('EXPIRE', ticket_key(ticket.id), KEPT_SECONDS)
  set_status(ticket, status)
end

local function has_expired(ticket)
  return tonumber(ticket.expires_ms) <= now
end

-- The live ticket a player has, or nil.
local function live_ticket_of(player_id)
  local id = redis.call('GET', player_key(player_id))
  local ticket = id and load_ticket(id)
  if not ticket or not LIVE[ticket.status] then return nil end
  return ticket
end

-- When a player of the ticket was last heard of decides how long it lives: as long as all are there.
local function keep_alive(ticket, player_id, ttl_ms)
  redis.call('HSET', ticket_key(ticket.id), 'alive:' .. player_id, integer(now + ttl_ms))
  ticket['alive:' .. player_id] = now + ttl_ms
  local expires
  for _, player in ipairs(cjson.decode(ticket.party)) do
    local alive = tonumber(ticket['alive:' .. player.id])
    if not expires or alive < expires then expires = alive end
  end
  ticket.expires_ms = expires
  redis.call('HSET', ticket_key(ticket.id), 'expires_ms', integer(expires))
  redis.call('ZADD', EXPIRING, integer(expires), ticket.id)
end

local function remember(key, value)
  redis.call('LPUSH', key, value)
  redis.call('LTRIM', key, 0, RECENT - 1)
end

-- Makes a match final: from here on it becomes a table, whatever happens.
local function seal(match_id)
  local match = load(match_key(match_id))
  local ratings, where = {}, match.game .. ':' .. match.players
  for _, id in ipairs(cjson.decode(match.tickets)) do
    local ticket = load_ticket(id)
    redis.call('ZREM', EXPIRING, id)
    remember(prefix .. 'waits:' .. where, integer(tonumber(match.formed_ms) - tonumber(ticket.queued_ms)))
    ratings[#ratings + 1] = tonumber(ticket['rating:' .. match.players])
    set_status(ticket, 'opening')
  end
  local sum, pairs_seen = 0, 0
  for i = 1, #ratings do
    for j = i + 1, #ratings do
      sum, pairs_seen = sum + math.abs(ratings[i] - ratings[j]), pairs_seen + 1
    end
  end
  if pairs_seen > 0 then remember(prefix .. 'differences:' .. where, string.format('%.3f', sum / pairs_seen)) end
  redis.call('HINCRBY', queue_key(match.game), 'matches:' .. match.players, 1)
  redis.call('HSET', match_key(match_id), 'status', 'opening')
  redis.call('HDEL', match_key(match_id), 'deadline_ms')
  redis.call('ZREM', DEADLINES, match_id)
  redis.call('XADD', MATCHES, '*', 'match', match_id)
end

-- Undoes a proposed match: tickets in `guilty` end with the status given there, the others wait again, as old as they
-- were, and come next.
local function dissolve(match_id, guilty)
  local match = load(match_key(match_id))
  redis.call('ZREM', DEADLINES, match_id)
  redis.call('HSET', match_key(match_id), 'status', 'dissolved')
  redis.call('EXPIRE', match_key(match_id), KEPT_SECONDS)
  for _, id in ipairs(cjson.decode(match.tickets)) do
    local ticket = load_ticket(id)
    redis.call('HDEL', ticket_key(id), 'match')
    if guilty[id] then
      finish(ticket, guilty[id])
    elseif has_expired(ticket) then
      finish(ticket, 'expired')
    else
      enqueue(ticket, tonumber(ticket.queued_ms))
    end
  end
end

-- Ends a proposed match whose time is up: the tickets that were not accepted by all of theirs end with it.
local function dissolve_late(match_id)
  local match, guilty = load(match_key(match_id)), {}
  for _, person in ipairs(cjson.decode(match.people)) do
    if match['yes:' .. person.id] ~= '1' then guilty[person.ticket] = 'expired' end
  end
  dissolve(match_id, guilty)
end

-- Ends a ticket that has expired, in whatever it is.
local function expire(ticket)
  if ticket.status == 'proposed' then
    dissolve(ticket.match, {[ticket.id] = 'expired'})
  else
    finish(ticket, 'expired')
  end
end
