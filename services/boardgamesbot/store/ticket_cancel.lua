-- Ends a ticket, unless a match is made of it.
--
-- ARGV: …, ticket id. Gives 'cancelled', 'late' where the match was first, 'ended' where it has ended otherwise, 'absent'.

local ticket = load_ticket(ARGV[2])
if not ticket then return 'absent' end
if ticket.status == 'opening' or ticket.status == 'matched' then return 'late' end
if not LIVE[ticket.status] then return 'ended' end
if ticket.status == 'proposed' then
  dissolve(ticket.match, {[ticket.id] = 'cancelled'})
else
  finish(ticket, 'cancelled')
end
return 'cancelled'
