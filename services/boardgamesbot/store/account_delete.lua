-- Ends an account.
--
-- ARGV: id, owner's id.

local id = ARGV[1]
redis.call('DEL', account_key(id), presence_key(id))
redis.call('SREM', owned_key(ARGV[2]), id)
redis.call('ZREM', ONLINE, id)
return 1
