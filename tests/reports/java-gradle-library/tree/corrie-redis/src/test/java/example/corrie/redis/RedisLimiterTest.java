package example.corrie.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import redis.clients.jedis.JedisPooled;

@Testcontainers
class RedisLimiterTest {
    @Container
    static final GenericContainer<?> REDIS = new GenericContainer<>("redis:7").withExposedPorts(6379);

    @Test
    void theFirstPermitIsFree() {
        JedisPooled jedis = new JedisPooled(REDIS.getHost(), REDIS.getFirstMappedPort());
        assertTrue(new RedisLimiter(jedis, "k", "return 1").tryAcquire());
    }
}
