#pragma once

#define WIFI_SSID "your-network"
#define WIFI_PASSWORD "your-password"
#define MQTT_HOST "broker.local"
#define MQTT_PASSWORD "changeme"
