#pragma once

/// Drops depths that jump further than the sea bed can.
class JumpFilter {
public:
    explicit JumpFilter(double max_jump) : max_jump_(max_jump) {}
    bool accept(double depth);

private:
    double max_jump_;
    double last_ = -1;
};
