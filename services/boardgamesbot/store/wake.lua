-- Wakes again who has to act at a table: sends a bot's turn once more, or that a person's clock is to be looked at.
--
-- Both are harmless where nothing is wrong. A bot whose waking got lost altogether is named by the caller.
--
-- KEYS: table, outbox, deadlines. ARGV: table id, version, seat, bot and player of the bot (empty: a person decides),
-- delay in ms after which the bot is woken again.
-- Gives {'bot', attempt} | {'clock'} | {'nobody'} | {'stale', current version} | {'absent'}.

local table_key, outbox, deadlines = KEYS[1], KEYS[2], KEYS[3]
local id, version, seat, bot, player, delay_ms = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])

local function integer(number)
  return string.format('%.0f', number)
end

local stored = redis.call('HMGET', table_key, 'version', 'wake_attempt', 'clock_seat', 'clock_since', 'clock_had')
if not stored[1] then return {'absent'} end
if stored[1] ~= version then return {'stale', stored[1]} end

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
if seat ~= '' then
  local attempt = integer(tonumber(stored[2] or 0) + 1)
  redis.call('XADD', outbox, '*', 'kind', 'bot_turn', 'table', id, 'version', version, 'seat', seat, 'bot', bot,
    'player', player, 'attempt', attempt)
  redis.call('HSET', table_key, 'wake_seat', seat, 'wake_bot', bot, 'wake_player', player, 'wake_attempt', attempt,
    'wake_ms', integer(now))
  redis.call('ZADD', deadlines, integer(now + delay_ms), id)
  return {'bot', attempt}
end
if stored[3] then
  redis.call('XADD', outbox, '*', 'kind', 'clock', 'table', id, 'version', version)
  redis.call('ZADD', deadlines, integer(math.max(now, tonumber(stored[4]) + tonumber(stored[5]))), id)
  return {'clock'}
end
return {'nobody'}
