#include <Arduino.h>

#include "Valve.h"

Valve::Valve(int pin) : pin(pin) { pinMode(pin, OUTPUT); }

void Valve::open_for(int seconds)
{
    digitalWrite(pin, HIGH);
    delay(1000L * (seconds < 600 ? seconds : 600));
    digitalWrite(pin, LOW);
}
