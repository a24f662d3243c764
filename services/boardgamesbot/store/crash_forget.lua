-- Forgets a position at which a bot failed. KEYS: index, crash. ARGV: its id. Gives 1 if there was one, else 0.

redis.call('ZREM', KEYS[1], ARGV[1])
return redis.call('DEL', KEYS[2])
