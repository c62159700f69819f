#define MEET impi_face_boxes_meet_portable
#include "object/face_boxes_kernel.h"
