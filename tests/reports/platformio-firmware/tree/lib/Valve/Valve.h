#pragma once

/// A valve on a relay. It never stays open longer than ten minutes.
class Valve {
public:
    explicit Valve(int pin);
    void open_for(int seconds);

private:
    int pin;
};
