#include "object/body_self_pairs.h"

#include "object/body_contains.h"
#include "shape/self_pairs.h"

imp_Status impi_body_self_pairs(imp_Context *context, const impi_Body *body, imp_FacePair *pairs,
                                size_t capacity, size_t *count)
{
    imp_Mesh shape;
    if (!body->is_deformed)
        return impi_mesh_self_pairs(context, impi_body_surface(body), pairs, capacity, count);
    imp_Status status = impi_deformed_shape(context, body, &shape);
    return status == IMP_STATUS_OK ? impi_mesh_self_pairs(context, &shape, pairs, capacity, count) : status;
}
