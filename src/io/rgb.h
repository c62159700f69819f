/// Colours of files and pictures.
#ifndef IMPINGE_IO_RGB_H
#define IMPINGE_IO_RGB_H

#include <stdint.h>

typedef struct impi_Rgb {
    uint8_t red, green, blue;
} impi_Rgb;

#endif
