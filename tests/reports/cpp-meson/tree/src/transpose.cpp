// Transposes chords by semitones.
#include "transpose.hpp"

#include <array>

std::string transpose(const std::string& chord, int semitones) {
    static const std::array<std::string, 12> notes{"C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"};
    for (int len : {2, 1}) {
        for (int i = 0; i < 12; ++i) {
            if (chord.substr(0, len) == notes[i]) return notes[((i + semitones) % 12 + 12) % 12] + chord.substr(len);
        }
    }
    return chord;
}
