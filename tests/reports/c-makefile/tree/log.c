/* Lines to syslog or, in the foreground, to standard error. */
#include <stdarg.h>
#include <stdio.h>
#include <syslog.h>

#include "boilerd.h"

static int to_stderr;

void log_open(int foreground)
{
    to_stderr = foreground;
    openlog("boilerd", LOG_PID, LOG_DAEMON);
}

void log_line(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (to_stderr) {
        vfprintf(stderr, format, args);
        fputc('\n', stderr);
    } else {
        vsyslog(LOG_INFO, format, args);
    }
    va_end(args);
}
