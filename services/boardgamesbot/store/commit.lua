-- Commits one change to a table, all of it or nothing, once however often the call is repeated.
--
-- KEYS: table, events, requests, outbox, deadlines, then one listed index a status.
-- ARGV: as unpacked below, then the channels of the players to notify.
-- Gives {'made', version, ms} | {'repeated', version, ms, answer} | {'same', version, ms}
--     | {'stale', current version} | {'absent'}.
--   repeated: an earlier call had this request id. same: this very call comes again, its reply was lost.

local table_key, events, requests, outbox, deadlines = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local FIRST_INDEX = 6
local id, expected, commit_id, request_id, answer = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local public, snapshot, event, move = ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local expire_s, deadline_ms, index, channel = ARGV[10], ARGV[11], ARGV[12], ARGV[13]
local wake_seat, wake_bot, wake_player = ARGV[14], ARGV[15], ARGV[16]
local FIRST_NOTIFIED = 17

local function integer(number)
  return string.format('%.0f', number)
end

-- Which commit made a version, and when.
local function made_by(version)
  local entry = redis.call('XRANGE', events, version .. '-0', version .. '-0')[1]
  local fields = {}
  if entry then
    for i = 1, #entry[2], 2 do fields[entry[2][i]] = entry[2][i + 1] end
  end
  return fields.commit, fields.ms
end

if request_id ~= '' then
  local seen = redis.call('HGET', requests, request_id)
  if seen then
    local colon = string.find(seen, ':', 1, true)
    local version = string.sub(seen, 1, colon - 1)
    local made, ms = made_by(version)
    return {made == commit_id and 'same' or 'repeated', version, ms, string.sub(seen, colon + 1)}
  end
end

local stored = redis.call('HMGET', table_key, 'version', 'created_ms', 'index')
local current = tonumber(stored[1] or 0)
if current ~= expected then
  local version = integer(expected + 1)
  local made, ms = made_by(version)
  if made == commit_id then return {'same', version, ms} end
  if current == 0 then return {'absent'} end
  return {'stale', integer(current)}
end

local version = integer(expected + 1)
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local ms = integer(now)
local created_ms = stored[2] or ms

redis.call('XADD', events, version .. '-0', 'event', event, 'move', move, 'commit', commit_id, 'ms', ms)
redis.call('HSET', table_key, 'version', version, 'table', public, 'snapshot', snapshot,
  'created_ms', created_ms, 'index', index)
if request_id ~= '' then
  redis.call('HSET', requests, request_id, version .. ':' .. answer)
end

if wake_seat ~= '' then
  redis.call('HSET', table_key, 'wake_seat', wake_seat, 'wake_bot', wake_bot, 'wake_player', wake_player,
    'wake_attempt', 1)
  redis.call('XADD', outbox, '*', 'kind', 'bot_turn', 'table', id, 'version', version, 'seat', wake_seat,
    'bot', wake_bot, 'player', wake_player, 'attempt', 1)
else
  redis.call('HDEL', table_key, 'wake_seat', 'wake_bot', 'wake_player', 'wake_attempt')
end
if deadline_ms ~= '' then
  redis.call('ZADD', deadlines, integer(now + tonumber(deadline_ms)), id)
else
  redis.call('ZREM', deadlines, id)
end

if current == 0 then
  -- The same id may have been listed in an earlier life.
  for i = FIRST_INDEX, #KEYS do redis.call('ZREM', KEYS[i], id) end
end
local index_before = stored[3] or ''
if index ~= index_before then
  if index_before ~= '' then redis.call('ZREM', KEYS[FIRST_INDEX + tonumber(index_before)], id) end
  if index ~= '' then redis.call('ZADD', KEYS[FIRST_INDEX + tonumber(index)], created_ms, id) end
end

for _, key in ipairs({table_key, events, requests}) do
  redis.call('EXPIRE', key, expire_s)
end
redis.call('PUBLISH', channel, version)
for i = FIRST_NOTIFIED, #ARGV do
  redis.call('PUBLISH', ARGV[i], id)
end
return {'made', version, ms}
