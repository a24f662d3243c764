-- Takes something out of a player's bucket, which fills again by itself, if there is enough in it; a negative amount is
-- put back.
--
-- KEYS: quota. ARGV: amount, the most the bucket holds, what comes back a second. Gives 0 if it was taken, else after
-- how many ms there will be enough.

local amount, most, refill = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local stored = redis.call('HMGET', KEYS[1], 'level', 'at')
local level = most
if stored[1] then
  level = math.min(most, tonumber(stored[1]) + math.max(0, now - tonumber(stored[2])) * refill / 1000)
end
if amount > level then return math.ceil((amount - level) * 1000 / refill) end

level = math.min(most, level - amount)
redis.call('HSET', KEYS[1], 'level', string.format('%.3f', level), 'at', string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', math.ceil((most - level) * 1000 / refill) + 1000))
return 0
