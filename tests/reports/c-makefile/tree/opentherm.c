/* Frames of the OpenTherm gateway on the serial port. */
#include <fcntl.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#include "boilerd.h"

int ot_open(const char *port)
{
    int fd = open(port, O_RDWR | O_NOCTTY);
    struct termios t;
    if (fd < 0 || tcgetattr(fd, &t) < 0)
        return -1;
    cfmakeraw(&t);
    cfsetspeed(&t, B9600);
    tcsetattr(fd, TCSANOW, &t);
    return fd;
}

int ot_write(int fd, unsigned id, unsigned value)
{
    return dprintf(fd, "T%02X%04X\r\n", id, value & 0xffff) > 0 ? 0 : -1;
}

int ot_read(int fd, unsigned id, unsigned *value)
{
    char line[16];
    dprintf(fd, "R%02X\r\n", id);
    ssize_t n = read(fd, line, sizeof line - 1);
    if (n <= 0)
        return -1;
    line[n] = 0;
    return sscanf(line, "B%*2x%4x", value) == 1 ? 0 : -1;
}
