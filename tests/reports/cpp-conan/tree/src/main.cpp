// soundingsd: from MQTT to InfluxDB.
#include <cstring>
#include <iostream>

#include <mqtt/async_client.h>
#include <toml++/toml.hpp>

#include "filter.hpp"
#include "influx.hpp"
#include "nmea.hpp"

int main(int argc, char** argv) {
    const char* file = "/etc/soundings.toml";
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--version")) {
            std::cout << SOUNDINGS_VERSION << '\n';
            return 0;
        }
        if (!std::strcmp(argv[i], "--config") && i + 1 < argc) file = argv[++i];
    }
    const auto config = toml::parse_file(file);
    mqtt::async_client client(config["mqtt"]["broker"].value_or(""), "soundingsd");
    JumpFilter filter(config["filter"]["max_jump_m"].value_or(2.5));
    Influx influx(config["influx"]["url"].value_or(""), config["influx"]["bucket"].value_or(""));
    client.start_consuming();
    client.connect()->wait();
    client.subscribe(config["mqtt"]["topic"].value_or(""), 1)->wait();
    while (auto message = client.consume_message()) {
        if (auto depth = parse_dbt(message->to_string()); depth && filter.accept(*depth)) influx.write(*depth);
    }
}
