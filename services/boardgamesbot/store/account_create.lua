-- Makes an account. Its id is made of who asks and the request's id: asked again, it is there already.
--
-- ARGV: id, owner's id, owner's name, name, the most one may own, ttl in ms. Gives 1, or 0 where there are too many.

local id, owner, ttl = ARGV[1], ARGV[2], ARGV[6]
if redis.call('EXISTS', account_key(id)) == 0 then
  for _, other in ipairs(redis.call('SMEMBERS', owned_key(owner))) do
    if redis.call('EXISTS', account_key(other)) == 0 then redis.call('SREM', owned_key(owner), other) end
  end
  if redis.call('SCARD', owned_key(owner)) >= tonumber(ARGV[5]) then return 0 end
  redis.call('HSET', account_key(id), 'owner', owner, 'owner_name', ARGV[3], 'name', ARGV[4], 'created_ms',
    string.format('%.0f', now), 'generation', 1)
  redis.call('SADD', owned_key(owner), id)
end
redis.call('PEXPIRE', account_key(id), ttl)
redis.call('PEXPIRE', owned_key(owner), ttl)
return 1
