// The proof. Surface: each face is divided until each piece lies in one chain, see sphere_face_pieces.c. The
// pieces of a face are real triangles which make up the real face; that their computed corners are rounded is
// in the slack of sphere_chains.c. Inside: see sphere_solid_boxes.c.
#include "shape/sphere_cover.h"

#include "shape/sphere_face_pieces.h"
#include "shape/sphere_solid_boxes.h"

#include <inttypes.h>

void impi_sphere_faces_free(const imp_Allocator *allocator, impi_SphereFaces *faces)
{
    impi_release(allocator, faces->first, (faces->sphere_count + 1) * sizeof *faces->first);
    impi_release(allocator, faces->faces, faces->face_capacity * sizeof *faces->faces);
    *faces = (impi_SphereFaces){0};
}

// From keys that ascend.
static imp_Status list_faces(imp_Context *context, const impi_SphereChains *chains,
                             const impi_FacePieces *pieces, impi_SphereFaces *faces)
{
    size_t count = chains->count - chains->last_level_first;
    impi_SphereFaces made = {
        .sphere_count = count,
        .first = impi_allocate_array(&context->allocator, count + 1, sizeof *made.first),
        .faces = impi_allocate_array(&context->allocator, pieces->key_count, sizeof *made.faces),
        .face_count = pieces->key_count,
        .face_capacity = pieces->key_count,
    };
    if (!made.first || !made.faces) {
        impi_sphere_faces_free(&context->allocator, &made);
        return impi_fail_out_of_memory(context);
    }
    size_t next = 0;
    for (size_t i = 0; i < count; ++i) {
        made.first[i] = next;
        for (; next < pieces->key_count && pieces->keys[next] >> 32 == chains->last_level_first + i; ++next)
            made.faces[next] = (uint32_t)pieces->keys[next];
    }
    made.first[count] = next;
    *faces = made;
    return IMP_STATUS_OK;
}

static imp_Status fail_bare(imp_Context *context, const impi_SphereChains *chains,
                            const impi_FacePieces *pieces)
{
    const impi_BareFace *lowest = &pieces->bare[0];
    for (size_t i = 1; i < pieces->bare_count; ++i)
        if (pieces->bare[i].face < lowest->face)
            lowest = &pieces->bare[i];
    const imp_Vec3 *corners = lowest->piece.corners;
    imp_Vec3 point =
        impi_scale(impi_add_scaled(impi_add_scaled(corners[0], 1, corners[1]), 1, corners[2]), 1.0 / 3);
    point = impi_from_local(&chains->frame, point);
    return impi_fail(context, IMP_STATUS_BAD_SHAPE, lowest->face,
                     "face %" PRIu32
                     " is not covered: no chain of spheres was found to hold it near (%g %g %g)",
                     lowest->face, point.x, point.y, point.z);
}

static imp_Status prove_surface(imp_Context *context, const imp_Mesh *mesh, const impi_SphereChains *chains,
                                impi_FacePieces *pieces)
{
    impi_FacePiecesDef def = {.mesh = mesh,
                              .chains = chains,
                              .work = "proving coverage",
                              .ends_at_first = true,
                              .effort = IMPI_PROVING_EFFORT};
    imp_Status status = impi_face_pieces_find(context, &def, pieces);
    return status == IMP_STATUS_OK && pieces->bare_count > 0 ? fail_bare(context, chains, pieces) : status;
}

static imp_Status prove_inside(imp_Context *context, const imp_Mesh *mesh, const impi_SphereChains *chains)
{
    impi_PointLocator locator;
    impi_BareBox bare[IMPI_TOP_BOXES];
    size_t bare_count = 0;
    impi_SolidBoxesDef def = {.mesh = mesh,
                              .chains = chains,
                              .locator = &locator,
                              .work = "proving coverage of the inside",
                              .effort = IMPI_PROVING_EFFORT};
    imp_Status status = impi_point_locator_build(context, mesh, NULL, &locator);
    if (status == IMP_STATUS_OK)
        status = impi_solid_boxes_find(context, &def, bare, &bare_count);
    if (status != IMP_STATUS_OK || bare_count == 0)
        return status;
    const imp_Box *part = &bare[0].part;
    return impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE,
                     "the inside is not covered: no chain of spheres was found to hold it near (%g %g %g)",
                     part->min.x / 2 + part->max.x / 2, part->min.y / 2 + part->max.y / 2,
                     part->min.z / 2 + part->max.z / 2);
}

imp_Status impi_sphere_cover_prove(imp_Context *context, const imp_Mesh *mesh, imp_SphereCover cover,
                                   const impi_SphereDraft *draft, impi_SphereFaces *faces)
{
    impi_SphereChains chains;
    impi_FacePieces pieces;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    imp_Status status = impi_sphere_chains_make(context, mesh, draft, &chains);
    if (status == IMP_STATUS_OK)
        status = prove_surface(context, mesh, &chains, &pieces);
    if (status == IMP_STATUS_OK && cover == IMP_COVER_SOLID)
        status = prove_inside(context, mesh, &chains);
    if (status == IMP_STATUS_OK)
        status = list_faces(context, &chains, &pieces, faces);
    impi_arena_rewind(&context->scratch, mark);
    return status;
}
