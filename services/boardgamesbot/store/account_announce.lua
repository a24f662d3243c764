-- Notes that an account is online, and what it takes, for a while; said again as long as it is so.
--
-- ARGV: id, a name for the stream it watches by, games with commas between them, tables at once, how long in ms, ttl of
-- the account in ms. Gives 1, or 0 where there is no such account. A newer stream's word counts, not an older one's.

local id, stream, patience = ARGV[1], ARGV[2], tonumber(ARGV[5])
if redis.call('EXISTS', account_key(id)) == 0 then return 0 end
local known = redis.call('HGET', presence_key(id), 'stream')
if known and known > stream then return 1 end
redis.call('HSET', presence_key(id), 'stream', stream, 'games', ARGV[3], 'tables', ARGV[4])
redis.call('PEXPIRE', presence_key(id), patience)
redis.call('ZREMRANGEBYSCORE', ONLINE, '-inf', now)
redis.call('ZADD', ONLINE, string.format('%.0f', now + patience), id)
redis.call('PEXPIRE', account_key(id), ARGV[6])
redis.call('PEXPIRE', owned_key(redis.call('HGET', account_key(id), 'owner')), ARGV[6])
return 1
