-- Leaves an answer behind those that are there. KEYS: the answers to a question. ARGV: the answer, seconds to keep it.

redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
