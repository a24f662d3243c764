-- Notes a seat of a player at a table, if that is not one too many.
--
-- KEYS: the player's tables. ARGV: the table's id, the most tables, ttl in seconds.
-- Gives 1, 0 where there are too many, 2 where the table was noted before.

if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 1 then return 2 end
if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
