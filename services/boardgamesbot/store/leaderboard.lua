-- Reads a page of a leaderboard, best first; of those with as many points, the later id first.
--
-- KEYS: leaderboard. ARGV: what the keys of ratings begin with, size, then points and id of the last one of the page
-- before; both empty on the first page.
-- Gives for each: {rank, id, name, mu, sigma, points, games}. Those whose rating is forgotten leave the leaderboard.

local board = KEYS[1]
local prefix, size, last_points, last_id = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]

-- Byte by byte, as the leaderboard itself is ordered; < would ask the server's locale.
local function precedes(one, other)
  for i = 1, math.min(#one, #other) do
    local a, b = string.byte(one, i), string.byte(other, i)
    if a ~= b then return a < b end
  end
  return #one < #other
end

local function above(points)
  return redis.call('ZCOUNT', board, '(' .. points, '+inf')
end

local first = 0
if last_id ~= '' then
  first = above(last_points)
  for _, id in ipairs(redis.call('ZRANGE', board, last_points, last_points, 'BYSCORE')) do
    if not precedes(id, last_id) then first = first + 1 end
  end
end

local page = {}
while #page < size do
  local found = redis.call('ZREVRANGE', board, first, first + size - #page - 1)
  if #found == 0 then break end
  for _, id in ipairs(found) do
    local rating = redis.call('HMGET', prefix .. id, 'name', 'mu', 'sigma', 'points', 'games')
    if rating[1] then
      first = first + 1
      page[#page + 1] = {above(rating[4]) + 1, id, unpack(rating)}
    else
      redis.call('ZREM', board, id)
    end
  end
end
return page
