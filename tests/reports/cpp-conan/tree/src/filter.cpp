// Throws away what cannot be the sea bed: fish, weed, bubbles.
#include "filter.hpp"

#include <cmath>

bool JumpFilter::accept(double depth) {
    if (depth <= 0) return false;
    const bool ok = last_ < 0 || std::abs(depth - last_) <= max_jump_;
    if (ok) last_ = depth;
    return ok;
}
