#pragma once

/// The mean of the last eight readings.
class Smooth {
public:
    int add(int reading)
    {
        values[at++ % 8] = reading;
        int sum = 0, n = at < 8 ? at : 8;
        for (int i = 0; i < n; i++) sum += values[i];
        return sum / n;
    }

private:
    int values[8] = {0};
    int at = 0;
};

inline int to_percent(int raw)
{
    const int dry = 3200, wet = 1300;
    if (raw >= dry) return 0;
    if (raw <= wet) return 100;
    return (dry - raw) * 100 / (dry - wet);
}
