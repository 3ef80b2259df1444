// Replays a log of sentences to standard output at the pace of the log.
#include <chrono>
#include <iostream>
#include <string>
#include <thread>

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        std::cout << line << std::endl;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}
