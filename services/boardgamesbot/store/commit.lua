-- Commits one change to a table, all of it or nothing, once however often the call is repeated.
--
-- KEYS: table, events, requests, outbox, deadlines, finished, then one listed index a status.
-- ARGV: as unpacked below, then the channels of the players to notify.
-- Gives {'made', version, ms} | {'repeated', version, ms, answer, commit} | {'same', version, ms}
--     | {'stale', current version} | {'absent'} | {'early'}.
--   repeated: an earlier call had this request id. same: this very call comes again, its reply was lost.
--   early: it was only to be made after the running clock's time is up.

local table_key, events, requests = KEYS[1], KEYS[2], KEYS[3]
local outbox, deadlines, finished = KEYS[4], KEYS[5], KEYS[6]
local FIRST_INDEX = 7
local id, expected, commit_id, request_id, answer = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local public, snapshot, event, move = ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local expire_s, deadline_ms, index, channel = ARGV[10], ARGV[11], ARGV[12], ARGV[13]
local wake_seat, wake_bot, wake_player = ARGV[14], ARGV[15], ARGV[16]
local finished_kept_ms = ARGV[17]
local clock = ARGV[18] ~= '' and cjson.decode(ARGV[18])
local base = ARGV[19]
local wake_trace, counted, census = ARGV[20], ARGV[21], ARGV[22]
local expected_commit = ARGV[23]
local FIRST_NOTIFIED = 24
local COUNTED_AGAIN = 32

local function integer(number)
  return string.format('%.0f', number)
end

-- Sets the clock of the seat that decides from now on, and gives when its time is up; nil if none runs.
--
-- Within one seat's run of decisions `depth` counts those that stand, and `reached` is the deepest it has been: only a
-- decision not come to before starts the clock afresh, so that taking back and playing again gains no time.
local function wind(now)
  local stored = redis.call('HMGET', table_key, 'clock_seat', 'clock_since', 'clock_had', 'clock_depth',
    'clock_reached', 'clock_banks')
  local running, since, had = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
  local depth, reached = tonumber(stored[4]), tonumber(stored[5])
  local banks = {}
  if stored[6] then
    for bank in string.gmatch(stored[6], '%d+') do banks[#banks + 1] = tonumber(bank) end
  elseif clock.bank_ms then
    for seat = 1, clock.seats do banks[seat] = clock.bank_ms end
  end
  if running and running == clock.seat then
    depth = depth + clock.step
    if depth > reached then
      reached = depth
      if clock.move_ms then since, had = now, clock.move_ms end
    end
  else
    if running and clock.bank_ms then
      banks[running + 1] = math.max(0, had - math.max(0, now - since))
    end
    running, since, depth, reached = clock.seat, now, 0, 0
    if running and clock.bank_ms then
      banks[running + 1] = banks[running + 1] + clock.increment_ms
      had = banks[running + 1]
    elseif running then
      had = clock.move_ms
    end
  end
  for seat = 1, #banks do banks[seat] = integer(banks[seat]) end
  if #banks > 0 then redis.call('HSET', table_key, 'clock_banks', table.concat(banks, ',')) end
  if not running then
    redis.call('HDEL', table_key, 'clock_seat', 'clock_since', 'clock_had', 'clock_depth', 'clock_reached')
    return nil
  end
  redis.call('HSET', table_key, 'clock_seat', integer(running), 'clock_since', integer(since),
    'clock_had', integer(had), 'clock_depth', integer(depth), 'clock_reached', integer(reached))
  return since + had
end

-- The clock as it is, for the caller to show.
local function shown()
  local fields = redis.call('HMGET', table_key, 'clock_seat', 'clock_since', 'clock_had', 'clock_banks')
  for i = 1, 4 do fields[i] = fields[i] or '' end
  return fields
end

-- Writes something that changes nothing: who waits for replicas after this call waits for all that was written before
-- only if it wrote as well.
local function touch()
  for _, key in ipairs({table_key, events, requests}) do
    redis.call('EXPIRE', key, expire_s)
  end
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
    touch()
    return {made == commit_id and 'same' or 'repeated', version, ms, string.sub(seen, colon + 1), made or ''}
  end
end

local stored = redis.call('HMGET', table_key, 'version', 'created_ms', 'index', 'counted', 'commit', 'wake_seat',
  'clock_seat', 'base_version', 'kept')
local current = tonumber(stored[1] or 0)
if current ~= expected then
  local version = integer(expected + 1)
  local made, ms = made_by(version)
  if made == commit_id then
    touch()
    return {'same', version, ms}
  end
  if current == 0 then return {'absent'} end
  return {'stale', integer(current)}
end

-- A failover that lost commits gives their versions to others: what was worked out for one is not for the other.
if expected_commit ~= '' and stored[5] and stored[5] ~= expected_commit then return {'stale', integer(current)} end

local version = integer(expected + 1)
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local ms = integer(now)
local created_ms = stored[2] or ms

if clock and clock.only_overdue then
  local running = redis.call('HMGET', table_key, 'clock_since', 'clock_had')
  if not running[1] or tonumber(running[1]) + tonumber(running[2]) > now then return {'early'} end
end

redis.call('XADD', events, version .. '-0', 'event', event, 'move', move, 'commit', commit_id, 'ms', ms)
-- The position before the first of the moves that can be taken back, so that none before it is played again for that.
if base == 'clear' and stored[8] then
  redis.call('HDEL', table_key, 'base', 'base_version')
elseif base == 'mark' and not stored[8] then
  redis.call('HSET', table_key, 'base', redis.call('HGET', table_key, 'snapshot') or '',
    'base_version', integer(expected))
end
-- How long the table is kept is said again once a hundredth of that time has passed, or where it is another time now.
local requested = request_id ~= '' and '1' or '0'
local kept_s, kept_requested, kept_ms = string.match(stored[9] or '', '^(%d+):(%d):(%d+)$')
local keep = kept_s ~= expire_s or kept_requested < requested or now - tonumber(kept_ms) > tonumber(expire_s) * 10
local kept = keep and expire_s .. ':' .. math.max(requested, kept_requested or 0) .. ':' .. ms or stored[9]
redis.call('HSET', table_key, 'version', version, 'commit', commit_id, 'table', public, 'snapshot', snapshot,
  'created_ms', created_ms, 'index', index, 'kept', kept)
if request_id ~= '' then
  redis.call('HSET', requests, request_id, version .. ':' .. answer)
end

if wake_seat ~= '' then
  redis.call('HSET', table_key, 'wake_seat', wake_seat, 'wake_bot', wake_bot, 'wake_player', wake_player,
    'wake_attempt', 1, 'wake_ms', ms)
  local turn = {'kind', 'bot_turn', 'table', id, 'version', version, 'seat', wake_seat, 'bot', wake_bot,
    'player', wake_player, 'attempt', 1}
  if wake_trace ~= '' then
    turn[#turn + 1], turn[#turn + 2] = 'trace', wake_trace
  end
  redis.call('XADD', outbox, '*', unpack(turn))
elseif stored[6] then
  redis.call('HDEL', table_key, 'wake_seat', 'wake_bot', 'wake_player', 'wake_attempt', 'wake_ms')
end
local zero = clock and wind(now)
if deadline_ms ~= '' then
  redis.call('ZADD', deadlines, integer(now + tonumber(deadline_ms)), id)
elseif zero then
  redis.call('ZADD', deadlines, integer(zero), id)
elseif stored[6] or stored[7] then
  redis.call('ZREM', deadlines, id)
end

if finished_kept_ms ~= '' then
  redis.call('XADD', finished, 'MINID', '~', integer(now - tonumber(finished_kept_ms)), '*', 'table', id,
    'public', public)
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

-- Counted with others of its kind until it expires; how long that is is not said again with every move.
local counted_before = stored[4] or ''
if counted ~= counted_before then
  if counted_before ~= '' then redis.call('ZREM', census .. counted_before, id) end
  redis.call('HSET', table_key, 'counted', counted)
end
if counted ~= '' and (counted ~= counted_before or (expected + 1) % COUNTED_AGAIN == 0) then
  redis.call('ZADD', census .. counted, integer(now + expire_s * 1000), id)
end

if keep then touch() end
redis.call('PUBLISH', channel, version)
for i = FIRST_NOTIFIED, #ARGV do
  redis.call('PUBLISH', ARGV[i], id)
end
return {'made', version, ms, clock and shown()}
