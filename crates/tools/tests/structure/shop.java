/*
 * Copyright 2024 Somebody
 */
package com.example.shop;

import java.util.List;
import static java.util.Map.*;

/**
 * A shop that sells tea.
 *
 * @author somebody
 */
@Service("secret")
public class Shop<T extends Ware> extends Base implements Closeable {
    private final List<T> teas;

    public Shop(List<T> teas) { this.teas = teas; }

    /** Sells one tea. */
    @Override
    @Deprecated(since = "1")
    public T sell(String name, int... amounts) throws IOException {
        if (name == null || amounts.length == 0) {
            for (int a : amounts) { while (a > 0) { a--; } }
        } else if (name.isEmpty()) {
            switch (name) { case "a": break; default: break; }
        }
        try { return null; } catch (Exception e) { return null; }
    }

    interface Ware { int price(); }
    enum State { OPEN, CLOSED }
    record Pair(int a, int b) {}

    @Test
    void sellsTea() {}

    public static void main(String[] args) {}
}
