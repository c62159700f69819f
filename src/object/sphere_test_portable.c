#define TABLE impi_sphere_test_portable
#include "object/sphere_test_kernel.h"
