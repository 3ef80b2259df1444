package example.corrie;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TokenBucketTest {
    private long now = 1_000;
    private final Limiter two = new TokenBucket(2, 100, () -> now);

    @Test
    void aFullBucketGivesItsPermits() {
        assertTrue(two.tryAcquire());
        assertTrue(two.tryAcquire());
    }

    @Test
    void anEmptyBucketRefuses() {
        two.tryAcquire();
        two.tryAcquire();
        assertFalse(two.tryAcquire());
    }

    @Test
    void itIsRefilled() {
        two.tryAcquire();
        two.tryAcquire();
        now += 50;
        assertTrue(two.tryAcquire());
    }

    @Test
    void noPermitsIsAMistake() {
        assertThrows(IllegalArgumentException.class, () -> new TokenBucket(0, 1, () -> now));
    }
}
