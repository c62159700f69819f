#define MEET  impi_face_boxes_meet_avx2
#define BOUND impi_face_boxes_bound_avx2
#include "object/face_boxes_kernel.h"
