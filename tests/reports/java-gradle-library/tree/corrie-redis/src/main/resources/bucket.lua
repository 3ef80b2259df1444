local left = tonumber(redis.call('GET', KEYS[1]) or '100')
if left <= 0 then return 0 end
redis.call('SET', KEYS[1], left - 1, 'PX', 1000)
return 1
