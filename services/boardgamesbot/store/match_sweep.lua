-- Ends the tickets that have expired, and the proposed matches whose time is up.
--
-- ARGV: …, limit. Gives how many of both.

local limit, swept = ARGV[2], 0

for _, id in ipairs(redis.call('ZRANGE', DEADLINES, '-inf', integer(now), 'BYSCORE', 'LIMIT', 0, limit)) do
  dissolve_late(id)
  swept = swept + 1
end
for _, id in ipairs(redis.call('ZRANGE', EXPIRING, '-inf', integer(now), 'BYSCORE', 'LIMIT', 0, limit)) do
  local ticket = load_ticket(id)
  -- One match can end several of them.
  if ticket and LIVE[ticket.status] and ticket.status ~= 'opening' and has_expired(ticket) then
    expire(ticket)
    swept = swept + 1
  else
    redis.call('ZREM', EXPIRING, id)
  end
end
return swept
