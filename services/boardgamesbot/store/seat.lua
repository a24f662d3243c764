-- Notes that a player may have a seat at a table. KEYS: the player's tables. ARGV: table id, seconds to keep the set.

redis.call('SADD', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
