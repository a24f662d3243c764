-- Accepts a match for one player, or declines it; the last one to accept makes it final.
--
-- ARGV: …, ticket id, player id, match id, '1' to accept, else ''.
-- Gives 'accepted', 'declined', 'late' where a match can't be declined any more, 'gone' where it is none any more.

local ticket, player_id, match_id, yes = load_ticket(ARGV[2]), ARGV[3], ARGV[4], ARGV[5] == '1'

if not ticket or ticket.match ~= match_id then return 'gone' end
if ticket.status == 'opening' or ticket.status == 'matched' then return yes and 'accepted' or 'late' end
if ticket.status ~= 'proposed' then return 'gone' end
local match = load(match_key(match_id))
if tonumber(match.deadline_ms) <= now then
  dissolve_late(match_id)
  return 'gone'
end
if not yes then
  dissolve(match_id, {[ticket.id] = 'cancelled'})
  return 'declined'
end

redis.call('HSET', match_key(match_id), 'yes:' .. player_id, '1')
match['yes:' .. player_id] = '1'
for _, person in ipairs(cjson.decode(match.people)) do
  if match['yes:' .. person.id] ~= '1' then
    for _, id in ipairs(cjson.decode(match.tickets)) do redis.call('PUBLISH', 'ticket:' .. id, 'accepted') end
    return 'accepted'
  end
end
seal(match_id)
return 'accepted'
