package example.corrie.spring;

import example.corrie.Limiter;
import java.io.IOException;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.springframework.web.filter.OncePerRequestFilter;

/** Answers 429 when the limiter says no. */
public class LimiterFilter extends OncePerRequestFilter {
    private final Limiter limiter;

    public LimiterFilter(Limiter limiter) {
        this.limiter = limiter;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (limiter.tryAcquire()) {
            chain.doFilter(request, response);
        } else {
            response.sendError(429);
        }
    }
}
