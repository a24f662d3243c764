-- Takes note that one group of readers has dealt with entries of a slot's stream of finished tables, and forgets those
-- that every group has dealt with that should: a group that has not begun to read yet has dealt with none.
--
-- KEYS: the stream. ARGV: the group, how many groups there should be, these groups, then the ids of the entries.
-- Gives how many entries were forgotten.

local stream, group, count = KEYS[1], ARGV[1], tonumber(ARGV[2])
local FIRST_ID = 3 + count

local function parts(id)
  local ms, sequence = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(sequence)
end

local function is_delivered(id, last)
  local ms, sequence = parts(id)
  local last_ms, last_sequence = parts(last)
  return ms < last_ms or (ms == last_ms and sequence <= last_sequence)
end

if redis.call('EXISTS', stream) == 0 then return 0 end

local last_delivered = {}
for _, reply in ipairs(redis.call('XINFO', 'GROUPS', stream)) do
  local fields = {}
  for i = 1, #reply, 2 do fields[reply[i]] = reply[i + 1] end
  last_delivered[fields.name] = fields['last-delivered-id']
end

local forgotten = 0
for i = FIRST_ID, #ARGV do
  local id = ARGV[i]
  if last_delivered[group] then redis.call('XACK', stream, group, id) end
  local is_done = true
  for g = 3, 2 + count do
    local last = last_delivered[ARGV[g]]
    if not last or not is_delivered(id, last) or #redis.call('XPENDING', stream, ARGV[g], id, id, 1) > 0 then
      is_done = false
    end
  end
  if is_done then forgotten = forgotten + redis.call('XDEL', stream, id) end
end
return forgotten
