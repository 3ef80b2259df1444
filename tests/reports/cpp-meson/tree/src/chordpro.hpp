#pragma once

#include <string>
#include <vector>

namespace chordpro {

/// A piece of text and the chord above its start, if any.
struct Chunk {
    std::string chord, text;
};

/// Parses one line of ChordPro.
std::vector<Chunk> parse(const std::string& line);

/// The line without its chords.
std::string plain(const std::string& line);

}  // namespace chordpro
