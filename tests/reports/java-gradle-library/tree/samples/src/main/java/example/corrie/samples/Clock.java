package example.corrie.samples;

import example.corrie.Limiter;
import java.time.Duration;

/** Prints a line as often as the limiter lets it. */
public final class Clock {
    public static void main(String[] args) {
        Limiter limiter = Limiter.tokenBucket(1, Duration.ofSeconds(1));
        while (true) {
            if (limiter.tryAcquire()) System.out.println(java.time.LocalTime.now());
        }
    }
}
