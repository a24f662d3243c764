-- Puts the bots of one leaderboard, with their fixed ratings, in the place of those that are there.
--
-- KEYS: bots, leaderboard. ARGV: what the keys of ratings begin with, then for each bot: id, name, mu, sigma, points, games.

local bots, board = KEYS[1], KEYS[2]
local prefix = ARGV[1]
local FIRST_BOT, FIELDS = 2, 6

for _, id in ipairs(redis.call('SMEMBERS', bots)) do
  redis.call('DEL', prefix .. id)
  redis.call('ZREM', board, id)
end
redis.call('DEL', bots)
for at = FIRST_BOT, #ARGV, FIELDS do
  local id, name, mu, sigma, points, games = unpack(ARGV, at, at + FIELDS - 1)
  redis.call('SADD', bots, id)
  redis.call('HSET', prefix .. id, 'name', name, 'mu', mu, 'sigma', sigma, 'points', points, 'games', games)
  redis.call('ZADD', board, points, id)
end
