#define MEET  impi_face_boxes_meet_avx512
#define BOUND impi_face_boxes_bound_avx512
#include "object/face_boxes_kernel.h"
