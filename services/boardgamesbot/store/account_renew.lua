-- Makes all tokens of an account worthless but those that are issued from now on.
--
-- ARGV: id, ttl in ms. Gives 1, or 0 where there is no such account.

local id = ARGV[1]
if redis.call('EXISTS', account_key(id)) == 0 then return 0 end
redis.call('HINCRBY', account_key(id), 'generation', 1)
redis.call('PEXPIRE', account_key(id), ARGV[2])
redis.call('PEXPIRE', owned_key(redis.call('HGET', account_key(id), 'owner')), ARGV[2])
return 1
