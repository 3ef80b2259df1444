#pragma once
#include <string>

/// Moves a chord by semitones: ("G", 2) is "A".
std::string transpose(const std::string& chord, int semitones);
