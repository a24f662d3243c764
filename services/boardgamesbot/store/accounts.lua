-- What the scripts of bot accounts share. All their keys are under one hash tag, KEYS[1] is one of them.

local TAG = '{accounts}:'
local function account_key(id) return TAG .. 'account:' .. id end
local function owned_key(owner) return TAG .. 'of:' .. owner end
local function presence_key(id) return TAG .. 'presence:' .. id end
local ONLINE = TAG .. 'online'

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
