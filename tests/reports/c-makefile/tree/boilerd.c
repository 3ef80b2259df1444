/* boilerd: reads temperatures, sets the flow temperature, once a minute. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boilerd.h"
#define INI_IMPLEMENTATION
#include "third/ini.h"

#define ID_CONTROL_SETPOINT 1
#define ID_OUTSIDE 27

static struct config config = { "/dev/ttyUSB0", 1.4, 20, 3, 60 };

static void set(const char *key, const char *value)
{
    if (!strcmp(key, "port")) snprintf(config.port, sizeof config.port, "%s", value);
    else if (!strcmp(key, "slope")) config.slope = atof(value);
    else if (!strcmp(key, "flow_max")) config.flow_max = atoi(value);
}

int main(int argc, char **argv)
{
    int opt, foreground = 0;
    const char *file = "/etc/boilerd.ini";
    while ((opt = getopt(argc, argv, "fc:p:V")) != -1) {
        switch (opt) {
        case 'f': foreground = 1; break;
        case 'c': file = optarg; break;
        case 'p': printf("%.1f\n", curve_flow(&config, atof(optarg), 0)); return 0;
        case 'V': puts("boilerd " VERSION); return 0;
        default: return 2;
        }
    }
    if (ini_read(file, set) < 0) { fprintf(stderr, "boilerd: no %s\n", file); return 1; }
    log_open(foreground);
    if (!foreground && daemon(0, 0) < 0) return 1;
    int fd = ot_open(config.port);
    for (;;) {
        unsigned raw;
        time_t now = time(NULL);
        int hour = localtime(&now)->tm_hour;
        if (ot_read(fd, ID_OUTSIDE, &raw) == 0) {
            double flow = curve_flow(&config, raw / 256.0, hour < 6 || hour >= 22);
            ot_write(fd, ID_CONTROL_SETPOINT, (unsigned)(flow * 256));
            log_line("outside %.1f flow %.1f", raw / 256.0, flow);
        }
        sleep(60);
    }
}
