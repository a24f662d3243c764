-- Notes that an account is online no more, unless it is by another stream.
--
-- ARGV: id, the name of the stream.

local id = ARGV[1]
if redis.call('HGET', presence_key(id), 'stream') ~= ARGV[2] then return 0 end
redis.call('DEL', presence_key(id))
redis.call('ZREM', ONLINE, id)
return 1
