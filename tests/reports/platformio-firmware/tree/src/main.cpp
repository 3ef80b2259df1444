#include <Arduino.h>
#include <PubSubClient.h>
#include <WiFi.h>

#include "SoilProbe.h"
#include "Valve.h"
#include "picojsn.h"
#include "secrets.h"

static WiFiClient network;
static PubSubClient broker(network);
static SoilProbe probe(34);
static Valve valve(26);

static void connect()
{
    while (WiFi.status() != WL_CONNECTED) {
        delay(500);
    }
    while (!broker.connected()) {
        broker.connect("glasshouse-1", "node", MQTT_PASSWORD);
    }
}

void setup()
{
    Serial.begin(115200);
    Serial.println("glasshouse node " FIRMWARE_VERSION);
    WiFi.begin(WIFI_SSID, WIFI_PASSWORD);
    broker.setServer(MQTT_HOST, 1883);
}

void loop()
{
    connect();
    const int moisture = probe.percent();
    char text[64];
    picojsn_write(text, sizeof text, "moisture", moisture);
    broker.publish("glasshouse/1", text);
    if (moisture < 30) {
        valve.open_for(120);
    }
    broker.loop();
    delay(60 * 1000);
}
