#define MEET impi_cube_meet_avx2
#define HOLD impi_cube_hold_avx2
#define FILL impi_cube_fill_avx2
#include "geom/cube_lanes_kernel.h"
