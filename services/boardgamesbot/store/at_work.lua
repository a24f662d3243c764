-- Says that somebody works on an answer, if it is still wanted from them: a question that was asked again meanwhile is
-- somebody else's. KEYS: that it is asked, that it is worked on. ARGV: as which attempt they were asked, ms.
-- Gives 1 if it is wanted, else 0.

if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
return 1
