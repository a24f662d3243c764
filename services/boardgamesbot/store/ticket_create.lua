-- Makes a ticket. Its id is made of who asks and the request's id: asked again, it is there already.
--
-- ARGV: …, ticket id, player id, ttl in ms, then the ticket's fields as name, value, …
-- Gives {'made'} | {'repeated'} | {'busy', the id of the live ticket the player has}.

local id, player_id, ttl_ms = ARGV[2], ARGV[3], tonumber(ARGV[4])

if redis.call('EXISTS', ticket_key(id)) == 1 then return {'repeated'} end
local other = live_ticket_of(player_id)
if other and other.status ~= 'opening' and has_expired(other) then
  expire(other)
  other = nil
end
if other then return {'busy', other.id} end

redis.call('HSET', ticket_key(id), 'status', 'party', 'queued_ms', integer(now), 'created_ms', integer(now),
  unpack(ARGV, 5))
redis.call('SET', player_key(player_id), id)
local ticket = load_ticket(id)
keep_alive(ticket, player_id, ttl_ms)
if ticket.code then
  redis.call('SET', code_key(ticket.code), id)
else
  enqueue(ticket, now)
end
return {'made'}
