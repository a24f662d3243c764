-- Ends a match: its table is there, or can't be.
--
-- ARGV: …, match id, the id of its entry in the stream, the consumers' group, the table's id (empty: there is none).
-- Gives 1, 0 where it had ended already. Its entry is done with in either case.

local match_id, entry_id, group, table_id = ARGV[2], ARGV[3], ARGV[4], ARGV[5]

redis.call('XACK', MATCHES, group, entry_id)
redis.call('XDEL', MATCHES, entry_id)
local match = load(match_key(match_id))
if not match or match.status ~= 'opening' then return 0 end
local status = table_id ~= '' and 'matched' or 'failed'
redis.call('HSET', match_key(match_id), 'status', status, 'table', table_id)
redis.call('EXPIRE', match_key(match_id), KEPT_SECONDS)
for _, id in ipairs(cjson.decode(match.tickets)) do finish(load_ticket(id), status) end
return 1
