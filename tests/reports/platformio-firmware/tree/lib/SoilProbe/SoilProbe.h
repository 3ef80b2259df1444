#pragma once
#include "smooth.h"

/// A capacitive probe: dry reads high, wet reads low.
class SoilProbe {
public:
    explicit SoilProbe(int pin) : pin(pin) {}
    int percent();

private:
    int pin;
    Smooth smooth;
};
