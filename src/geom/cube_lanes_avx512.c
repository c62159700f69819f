#define MEET impi_cube_meet_avx512
#define HOLD impi_cube_hold_avx512
#define FILL impi_cube_fill_avx512
#include "geom/cube_lanes_kernel.h"
