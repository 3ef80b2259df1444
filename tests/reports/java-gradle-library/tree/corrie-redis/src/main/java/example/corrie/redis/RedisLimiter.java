package example.corrie.redis;

import example.corrie.Limiter;
import java.util.List;
import redis.clients.jedis.JedisPooled;

/** A bucket in Redis that all instances of a service share. */
public final class RedisLimiter implements Limiter {
    private final JedisPooled redis;
    private final String key;
    private final String script;

    public RedisLimiter(JedisPooled redis, String key, String script) {
        this.redis = redis;
        this.key = key;
        this.script = script;
    }

    @Override
    public boolean tryAcquire() {
        return Long.valueOf(1).equals(redis.eval(script, List.of(key), List.of()));
    }
}
