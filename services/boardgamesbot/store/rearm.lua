-- For the tables of one slot whose deadline has passed: sends again what a bot was woken with, or says that a person's
-- time is up; again after the delay, as long as the table stays as it is.
--
-- What a bot was woken with is not sent again while it still waits for a worker: where many wait, sending all of it twice
-- would only make them wait longer.
--
-- KEYS: deadlines, outbox. ARGV: what the slot's table keys begin with, delay in ms, limit, and, as JSON, for each bot
-- whose turns wait for a worker when the oldest of them came up, in ms.
-- Gives {table id, version, attempt} for each that was sent, attempt 0 for a person's time. The tables' keys are in the
-- slot of KEYS.

local deadlines, outbox = KEYS[1], KEYS[2]
local prefix, delay_ms, limit, waiting = ARGV[1], tonumber(ARGV[2]), ARGV[3], cjson.decode(ARGV[4])
local LOOK_AGAIN_MS = 1000
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local sent = {}

local overdue = redis.call('ZRANGE', deadlines, '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, limit,
  'WITHSCORES')
for i = 1, #overdue, 2 do
  local id, due = overdue[i], tonumber(overdue[i + 1])
  local wake = redis.call('HMGET', prefix .. id, 'version', 'wake_seat', 'wake_bot', 'wake_player', 'wake_attempt',
    'clock_seat', 'wake_ms')
  local oldest = wake[2] and waiting[wake[3]]
  if oldest and tonumber(wake[7] or due - delay_ms) >= oldest then
    redis.call('ZADD', deadlines, string.format('%.0f', now + LOOK_AGAIN_MS), id)
  elseif wake[2] then
    local attempt = string.format('%.0f', tonumber(wake[5]) + 1)
    redis.call('XADD', outbox, '*', 'kind', 'bot_turn', 'table', id, 'version', wake[1], 'seat', wake[2],
      'bot', wake[3], 'player', wake[4], 'attempt', attempt)
    redis.call('HSET', prefix .. id, 'wake_attempt', attempt, 'wake_ms', string.format('%.0f', now))
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
