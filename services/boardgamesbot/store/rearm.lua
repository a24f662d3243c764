-- For the tables of one slot whose deadline has passed: sends again what a bot was woken with, or says that a person's
-- time is up; again after the delay, as long as the table stays as it is.
--
-- KEYS: deadlines, outbox. ARGV: what the slot's table keys begin with, delay in ms, limit.
-- Gives {table id, version, attempt} for each that was sent, attempt 0 for a person's time. The tables' keys are in the
-- slot of KEYS.

local deadlines, outbox = KEYS[1], KEYS[2]
local prefix, delay_ms, limit = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local sent = {}

for _, id in ipairs(redis.call('ZRANGE', deadlines, '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, limit)) do
  local wake = redis.call('HMGET', prefix .. id, 'version', 'wake_seat', 'wake_bot', 'wake_player', 'wake_attempt',
    'clock_seat')
  if wake[2] then
    local attempt = string.format('%.0f', tonumber(wake[5]) + 1)
    redis.call('XADD', outbox, '*', 'kind', 'bot_turn', 'table', id, 'version', wake[1], 'seat', wake[2],
      'bot', wake[3], 'player', wake[4], 'attempt', attempt)
    redis.call('HSET', prefix .. id, 'wake_attempt', attempt)
    redis.call('ZADD', deadlines, string.format('%.0f', now + delay_ms), id)
    sent[#sent + 1] = {id, wake[1], attempt}
  elseif wake[6] then
    redis.call('XADD', outbox, '*', 'kind', 'clock', 'table', id, 'version', wake[1])
    redis.call('ZADD', deadlines, string.format('%.0f', now + delay_ms), id)
    sent[#sent + 1] = {id, wake[1], 0}
  else
    redis.call('ZREM', deadlines, id)
  end
end
return sent
