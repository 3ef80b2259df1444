package example.corrie;

import java.time.Duration;

/** Says whether something may happen now. */
public interface Limiter {
    /** Takes one permit, if there is one. Never blocks. */
    boolean tryAcquire();

    /** A bucket of {@code permits}, refilled evenly over {@code period}. */
    static Limiter tokenBucket(long permits, Duration period) {
        return new TokenBucket(permits, period.toNanos(), System::nanoTime);
    }
}
