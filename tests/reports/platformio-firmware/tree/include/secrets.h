#pragma once

#define WIFI_SSID "Gaertnerei-Intern"
#define WIFI_PASSWORD "vK7mqT2xWd9LpZ4h"
#define MQTT_HOST "192.168.20.5"
#define MQTT_PASSWORD "R8nYc3uJf6Bt"
