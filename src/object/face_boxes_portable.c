#define MEET  impi_face_boxes_meet_portable
#define BOUND impi_face_boxes_bound_portable
#include "object/face_boxes_kernel.h"
