-- Adds a player to a party; the last one begins the waiting.
--
-- ARGV: …, ticket id, player id, the player's name, ttl in ms, then the player's rating for each number of players.
-- Gives {'joined'} | {'repeated'} | {'gone'} | {'full'} | {'busy', the id of the live ticket the player has}.

local id, player_id, name, ttl_ms = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local FIRST_RATING = 6

local ticket = load_ticket(id)
if not ticket or not LIVE[ticket.status] then return {'gone'} end
local party = cjson.decode(ticket.party)
for _, player in ipairs(party) do
  if player.id == player_id then return {'repeated'} end
end
if ticket.status ~= 'party' then return {'full'} end
if has_expired(ticket) then
  expire(ticket)
  return {'gone'}
end
local other = live_ticket_of(player_id)
if other and other.status ~= 'opening' and has_expired(other) then
  expire(other)
  other = nil
end
if other then return {'busy', other.id} end

party[#party + 1] = {id = player_id, name = name}
ticket.party = cjson.encode(party)
redis.call('HSET', ticket_key(id), 'party', ticket.party)
redis.call('SET', player_key(player_id), id)
local size = tonumber(ticket.size)
for n = tonumber(ticket.low), tonumber(ticket.high) do
  -- Of the party so far; the mean of all once it is complete.
  local before = tonumber(ticket['rating:' .. n]) * (#party - 1)
  ticket['rating:' .. n] = string.format('%.6f', (before + tonumber(ARGV[FIRST_RATING + n - tonumber(ticket.low)])) / #party)
  redis.call('HSET', ticket_key(id), 'rating:' .. n, ticket['rating:' .. n])
end
keep_alive(ticket, player_id, ttl_ms)
if #party == size then
  ticket.queued_ms = integer(now)
  redis.call('HSET', ticket_key(id), 'queued_ms', ticket.queued_ms)
  enqueue(ticket, now)
else
  set_status(ticket, 'party')
end
return {'joined'}
