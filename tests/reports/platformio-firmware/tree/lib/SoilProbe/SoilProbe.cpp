#ifdef ARDUINO
#include <Arduino.h>

#include "SoilProbe.h"

int SoilProbe::percent()
{
    return to_percent(smooth.add(analogRead(pin)));
}
#endif
