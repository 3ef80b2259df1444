package example.corrie;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The token bucket: one long that holds the time up to which permits are spent. */
final class TokenBucket implements Limiter {
    private final long nanosPerPermit;
    private final long burstNanos;
    private final LongSupplier clock;
    private final AtomicLong spentUntil = new AtomicLong(Long.MIN_VALUE);

    TokenBucket(long permits, long periodNanos, LongSupplier clock) {
        if (permits <= 0 || periodNanos <= 0) {
            throw new IllegalArgumentException("permits and period must be positive");
        }
        this.nanosPerPermit = periodNanos / permits;
        this.burstNanos = periodNanos;
        this.clock = clock;
    }

    @Override
    public boolean tryAcquire() {
        for (;;) {
            long now = clock.getAsLong();
            long old = spentUntil.get();
            long next = Math.max(old, now - burstNanos) + nanosPerPermit;
            if (next > now) {
                return false;
            }
            if (spentUntil.compareAndSet(old, next)) {
                return true;
            }
        }
    }
}
