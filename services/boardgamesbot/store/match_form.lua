-- Looks for company for the tickets whose turn it is, and makes matches of those that fit.
--
-- For each: only so many of the nearest in rating on either side are looked at, of each size of party that fits, so that
-- the cost does not depend on how many wait. Of these, the oldest are taken first, then the nearest. Everybody in a match
-- is within the windows of everybody else, and the parties fill the table exactly; the largest table that can be filled
-- is the one. Where none can, and the ticket has waited long enough for bots, these fill the smallest table that holds
-- the most people, of whom all allow bots: who came later does not wait on alone for the same.
--
-- ARGV: …, how many of the nearest, time to accept in ms, then one new match id for each ticket that may be tried.
-- A call that is repeated makes no match twice: its id is there already.
-- Gives {tickets tried, matches made, ms until the next try is due (-1: nobody waits)}.

local nearest, accept_ms = tonumber(ARGV[2]), tonumber(ARGV[3])
local FIRST_ID = 4
local SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS, PAUSE_AT_FULL_WINDOW_MS = 250, 5000, 15000
local STEPS = 400 -- that a search for parties that fit may take

local seen = {}

-- What is looked at of a ticket that waits; false if it does not.
local function look(id)
  if seen[id] ~= nil then return seen[id] end
  local f = redis.call('HMGET', ticket_key(id), 'status', 'queued_ms', 'expires_ms', 'size', 'window', 'growth',
    'window_max', 'bots_ms')
  local found = false
  if f[1] == 'waiting' then
    if tonumber(f[3]) <= now then
      finish(load_ticket(id), 'expired')
    else
      local age = now - tonumber(f[2])
      local grown = tonumber(f[5]) + tonumber(f[6]) * age / 1000
      found = {
        id = id, queued = tonumber(f[2]), age = age, size = tonumber(f[4]), reach = math.min(grown, tonumber(f[7])),
        is_full = grown >= tonumber(f[7]), bots_ms = f[8] and tonumber(f[8]), ratings = {},
      }
      found.takes_bots = found.bots_ms and age >= found.bots_ms
    end
  end
  seen[id] = found
  return found
end

local function add_nearest(candidates, seed, n, reply)
  for i = 1, #reply, 2 do
    local id = string.sub(reply[i], string.find(reply[i], ':', 1, true) + 1)
    local found = id ~= seed.id and look(id)
    if found then
      found.ratings[n] = tonumber(reply[i + 1])
      candidates[#candidates + 1] = found
    end
  end
end

-- Those near a ticket that wait for a table of n: the oldest first, then the nearest.
local function candidates_for(seed, ticket, n)
  local rating, candidates = ticket['rating:' .. n], {}
  local from, to = string.format('%.6f', rating - seed.reach), string.format('%.6f', rating + seed.reach)
  for size = 1, n - seed.size do
    for _, line in ipairs({ticket.line, ticket.other_line}) do
      local key = line_key(ticket.game, n, line, size)
      add_nearest(candidates, seed, n,
        redis.call('ZRANGE', key, rating, to, 'BYSCORE', 'LIMIT', 0, nearest + 1, 'WITHSCORES'))
      add_nearest(candidates, seed, n,
        redis.call('ZRANGE', key, '(' .. rating, from, 'BYSCORE', 'REV', 'LIMIT', 0, nearest, 'WITHSCORES'))
    end
  end
  table.sort(candidates, function(a, b)
    if a.queued ~= b.queued then return a.queued < b.queued end
    local near, far = math.abs(a.ratings[n] - rating), math.abs(b.ratings[n] - rating)
    if near ~= far then return near < far end
    return a.id < b.id
  end)
  return candidates
end

local function suits_all(candidate, chosen, n)
  for _, other in ipairs(chosen) do
    local difference = math.abs(candidate.ratings[n] - other.ratings[n])
    if difference > candidate.reach or difference > other.reach then return false end
  end
  return true
end

-- Adds candidates from the i-th on to the chosen until exactly `places` are taken; whether that was possible.
local function fill(chosen, candidates, i, places, n, budget)
  if places == 0 then return true end
  for at = i, #candidates do
    budget.steps = budget.steps - 1
    if budget.steps < 0 then return false end
    local candidate = candidates[at]
    if candidate.size <= places and suits_all(candidate, chosen, n) then
      chosen[#chosen + 1] = candidate
      if fill(chosen, candidates, at + 1, places - candidate.size, n, budget) then return true end
      chosen[#chosen] = nil
    end
  end
  return false
end

-- The tickets of a match with this one, and how many seats its table has; nil if there is none yet.
local function company_for(seed, ticket)
  local candidates, low, high = {}, tonumber(ticket.low), tonumber(ticket.high)
  for n = high, low, -1 do
    seed.ratings[n] = tonumber(ticket['rating:' .. n])
    candidates[n] = candidates_for(seed, ticket, n)
    local chosen = {seed}
    if fill(chosen, candidates[n], 1, n - seed.size, n, {steps = STEPS}) then return chosen, n end
  end
  if not seed.takes_bots then return nil end
  local best, seats, most = nil, nil, 0
  for n = low, high do
    local chosen, people = {seed}, seed.size
    for _, candidate in ipairs(candidates[n]) do
      if candidate.bots_ms and people + candidate.size <= n and suits_all(candidate, chosen, n) then
        chosen[#chosen + 1], people = candidate, people + candidate.size
      end
    end
    if people > most then best, seats, most = chosen, n, people end
  end
  return best, seats
end

-- Makes a match; its seats are in an order that the match's id decides, which is made of chance.
local function make(match_id, ticket, chosen, players)
  local seats, people, tickets, wants_acceptance = {}, {}, {}, false
  local yes = {}
  for _, one in ipairs(chosen) do
    local full = load_ticket(one.id)
    dequeue(full)
    tickets[#tickets + 1] = full
    if full.acceptance == '1' then wants_acceptance = true end
    for _, player in ipairs(cjson.decode(full.party)) do
      player.ticket = one.id
      people[#people + 1] = player
      seats[#seats + 1] = {order = redis.sha1hex(match_id .. ':' .. player.id), who = player}
      if full.acceptance ~= '1' then yes[#yes + 1] = player.id end
    end
    seen[one.id] = false
  end
  for i = #seats + 1, players do
    seats[i] = {order = redis.sha1hex(match_id .. ':bot ' .. i), who = {bot = ticket.bot}}
  end
  table.sort(seats, function(a, b) return a.order < b.order end)
  local who, ids = {}, {}
  for i, seat in ipairs(seats) do who[i] = seat.who end
  for i, one in ipairs(tickets) do ids[i] = one.id end
  redis.call('HSET', match_key(match_id), 'status', 'proposed', 'game', ticket.game, 'players', players,
    'options', ticket.options, 'unrated', ticket.unrated, 'seats', cjson.encode(who), 'people', cjson.encode(people),
    'tickets', cjson.encode(ids), 'formed_ms', integer(now))
  for _, id in ipairs(yes) do redis.call('HSET', match_key(match_id), 'yes:' .. id, '1') end
  for _, one in ipairs(tickets) do redis.call('HSET', ticket_key(one.id), 'match', match_id) end
  if not wants_acceptance then
    seal(match_id)
    return
  end
  redis.call('HSET', match_key(match_id), 'deadline_ms', integer(now + accept_ms))
  redis.call('ZADD', DEADLINES, integer(now + accept_ms), match_id)
  for _, one in ipairs(tickets) do set_status(one, 'proposed') end
end

local function postpone(seed)
  local longest = seed.is_full and PAUSE_AT_FULL_WINDOW_MS or LONGEST_PAUSE_MS
  local due = now + math.max(SHORTEST_PAUSE_MS, math.min(seed.age / 4, longest))
  local bots_due = seed.bots_ms and seed.queued + seed.bots_ms
  if bots_due and bots_due > now then due = math.min(due, bots_due) end
  redis.call('ZADD', DUE, integer(due), seed.id)
end

local tried, made = 0, 0
local limit = #ARGV - FIRST_ID + 1
for at, id in ipairs(redis.call('ZRANGE', DUE, '-inf', integer(now), 'BYSCORE', 'LIMIT', 0, limit)) do
  local seed = look(id)
  tried = tried + 1
  if seed then
    local ticket, match_id = load_ticket(id), ARGV[FIRST_ID + at - 1]
    local chosen, players = company_for(seed, ticket)
    if chosen and redis.call('EXISTS', match_key(match_id)) == 0 then
      make(match_id, ticket, chosen, players)
      made = made + 1
    else
      postpone(seed)
    end
  else
    redis.call('ZREM', DUE, id)
  end
end

local first = redis.call('ZRANGE', DUE, 0, 0, 'WITHSCORES')
return {tried, made, first[2] and math.max(0, tonumber(first[2]) - now) or -1}
