/* The heating curve: how warm the water must be for how cold it is outside. */
#include "boilerd.h"

double curve_flow(const struct config *c, double outside, int night)
{
    double room = 20 - (night ? c->night_drop : 0);
    double flow = c->offset + c->slope * (room - outside);
    if (flow > c->flow_max)
        flow = c->flow_max;
    return flow < 10 ? 10 : flow;
}
