#define MEET impi_cube_meet_portable
#define HOLD impi_cube_hold_portable
#define FILL impi_cube_fill_portable
#include "geom/cube_lanes_kernel.h"
