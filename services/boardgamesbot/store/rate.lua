-- Lets the result of one table count: the ratings of all its people change together, once, or not at all.
--
-- KEYS: what says that the table has counted, leaderboard, then one rating for each person.
-- ARGV: as unpacked below, then for each person: id, name, mu, sigma, points, games.
--   games is what the person has with this one; the ratings were worked out from those with one less.
-- Gives 'made' | 'repeated': it has counted before | 'late': so long ago that this would be forgotten
--     | 'changed': somebody's rating is not what it was worked out from.

local counted, board = KEYS[1], KEYS[2]
local finished_ms, kept_ms, expire_s = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local games_needed = tonumber(ARGV[4])
local FIRST_RATING, FIRST_PERSON, FIELDS = 3, 5, 6
local DAY_MS = 86400000

if redis.call('EXISTS', counted) == 1 then return 'repeated' end

-- Whoever comes after the note that it has counted is gone must find the table too old as well.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
if now - finished_ms >= kept_ms then return 'late' end

local people = {}
for i = FIRST_RATING, #KEYS do
  local at = FIRST_PERSON + FIELDS * (i - FIRST_RATING)
  local id, name, mu, sigma, points, games = unpack(ARGV, at, at + FIELDS - 1)
  if tonumber(redis.call('HGET', KEYS[i], 'games') or 0) ~= tonumber(games) - 1 then return 'changed' end
  people[#people + 1] = {key = KEYS[i], id = id, name = name, mu = mu, sigma = sigma, points = points, games = games}
end

redis.call('SET', counted, '1', 'PX', string.format('%.0f', kept_ms + DAY_MS))
for _, person in ipairs(people) do
  redis.call('HSET', person.key, 'name', person.name, 'mu', person.mu, 'sigma', person.sigma,
    'points', person.points, 'games', person.games)
  redis.call('EXPIRE', person.key, expire_s)
  if tonumber(person.games) >= games_needed then
    redis.call('ZADD', board, person.points, person.id)
  else
    redis.call('ZREM', board, person.id)
  end
end
return 'made'
