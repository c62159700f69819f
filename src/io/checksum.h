/// The checksum of files: CRC-32, as zip and PNG have it.
#ifndef IMPINGE_IO_CHECKSUM_H
#define IMPINGE_IO_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// Of bytes that follow those whose checksum is `before`; begin with 0.
uint32_t impi_checksum(uint32_t before, const unsigned char *bytes, size_t size);

#endif
