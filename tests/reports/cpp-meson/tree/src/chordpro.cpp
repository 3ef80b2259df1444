// Parses ChordPro, the text format of songs with chords in brackets.
#include "chordpro.hpp"

namespace chordpro {

std::vector<Chunk> parse(const std::string& line) {
    std::vector<Chunk> out{{}};
    for (std::size_t i = 0; i < line.size(); ++i) {
        const auto end = line[i] == '[' ? line.find(']', i) : std::string::npos;
        if (end != std::string::npos) {
            out.push_back({line.substr(i + 1, end - i - 1), ""});
            i = end;
        } else {
            out.back().text += line[i];
        }
    }
    return out;
}

std::string plain(const std::string& line) {
    std::string s;
    for (const auto& c : parse(line)) s += c.text;
    return s;
}

}  // namespace chordpro
