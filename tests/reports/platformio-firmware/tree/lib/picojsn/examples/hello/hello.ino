#include "picojsn.h"

void setup() { Serial.begin(9600); }

void loop()
{
    char text[32];
    picojsn_write(text, sizeof text, "millis", millis());
    Serial.println(text);
    delay(1000);
}
