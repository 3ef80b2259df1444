/* crc.h 0.5.1 -- small CRC tables
 * Copyright (C) 2009 L. Aalto. zlib licence, see below.
 */
#ifndef CRC_H
#define CRC_H
unsigned crc8(const unsigned char *p, unsigned n);
#endif
