// Writes to InfluxDB over HTTP.
#include "influx.hpp"

#include <curl/curl.h>

Influx::Influx(std::string url, std::string bucket) : url_(std::move(url)), bucket_(std::move(bucket)) {}

void Influx::write(double depth) {
    CURL* curl = curl_easy_init();
    const std::string line = "depth m=" + std::to_string(depth);
    curl_easy_setopt(curl, CURLOPT_URL, (url_ + "/api/v2/write?bucket=" + bucket_).c_str());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, line.c_str());
    curl_easy_perform(curl);
    curl_easy_cleanup(curl);
}
