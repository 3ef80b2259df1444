/* What the parts share. */
struct config {
    char port[64];
    double slope, offset;   /* of the heating curve */
    double night_drop;
    int flow_max;
};

/* curve.c: flow temperature for an outside temperature */
double curve_flow(const struct config *c, double outside, int night);

/* opentherm.c: frames of the gateway */
int ot_open(const char *port);
int ot_write(int fd, unsigned id, unsigned value);
int ot_read(int fd, unsigned id, unsigned *value);

/* log.c */
void log_open(int foreground);
void log_line(const char *format, ...);
