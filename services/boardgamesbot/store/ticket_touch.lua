-- Keeps a ticket alive on behalf of one of its players.
--
-- ARGV: …, ticket id, player id, ttl in ms. Gives 1 if the ticket is live, else 0.

local ticket = load_ticket(ARGV[2])
if not ticket or not LIVE[ticket.status] then return 0 end
if ticket.status == 'opening' then return 1 end
if has_expired(ticket) then
  expire(ticket)
  return 0
end
keep_alive(ticket, ARGV[3], tonumber(ARGV[4]))
return 1
