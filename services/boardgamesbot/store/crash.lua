-- Notes that a bot failed at a position, and forgets the oldest where there are too many.
--
-- KEYS: index, crash. ARGV: as unpacked below, then the fields of the crash. Gives how often the bot has failed there.

local index, key = KEYS[1], KEYS[2]
local id, prefix, kept_ms, most = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local FIRST_FIELD = 5
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local ms = string.format('%.0f', now)

redis.call('HSETNX', key, 'first_ms', ms)
redis.call('HSET', key, 'last_ms', ms, unpack(ARGV, FIRST_FIELD))
local times = redis.call('HINCRBY', key, 'times', 1)
redis.call('PEXPIRE', key, string.format('%.0f', kept_ms))
redis.call('ZADD', index, ms, id)
redis.call('PEXPIRE', index, string.format('%.0f', kept_ms))

redis.call('ZREMRANGEBYSCORE', index, '-inf', '(' .. string.format('%.0f', now - kept_ms))
local surplus = redis.call('ZCARD', index) - most
if surplus > 0 then
  for _, old in ipairs(redis.call('ZRANGE', index, 0, surplus - 1)) do
    redis.call('DEL', prefix .. old)
    redis.call('ZREM', index, old)
  end
end
return times
