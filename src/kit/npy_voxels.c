#include "kit/npy_voxels.h"

#include "kit/npy_source.h"
#include "kit/npy_writer.h"

#define LEAST_EDGE   2u
#define LARGEST_EDGE (1u << IMPI_MAX_NPY_LEVEL)

static imp_Status check_shape(const impi_NpySource *source)
{
    const impi_NpyHeader *header = &source->header;
    uint64_t n = header->shape[0];
    bool is_cube = header->dimension_count == 3 && header->shape[1] == n && header->shape[2] == n;
    if (is_cube && n >= LEAST_EDGE && n <= LARGEST_EDGE && (n & (n - 1)) == 0)
        return IMP_STATUS_OK;
    return impi_fail_at(source->context, IMP_STATUS_UNSUPPORTED, impi_npy_place(source, header->shape_offset),
                        "expected an array of the shape (n, n, n), where n is a power of two from %u to %u",
                        LEAST_EDGE, LARGEST_EDGE);
}

static bool is_true(const unsigned char *number, size_t size)
{
    unsigned bits = 0;
    for (size_t i = 0; i < size; ++i)
        bits |= number[i];
    return bits != 0;
}

static void copy_voxels(const impi_NpySource *source, impi_NpyVoxels *voxels)
{
    const unsigned char *numbers = source->bytes + source->header.data_offset;
    size_t n = (size_t)1 << voxels->level, size = impi_npy_type_size(source->type);
    for (size_t i = 0; i < voxels->count; ++i) {
        size_t x = i / n / n, y = i / n % n, z = i % n;
        size_t place = source->header.fortran_order ? x + n * (y + n * z) : i;
        voxels->voxels[i] = is_true(numbers + place * size, size);
    }
}

imp_Status impi_npy_read_voxels(imp_Context *context, const void *bytes, size_t size, const char *name,
                                impi_NpyVoxels *voxels)
{
    impi_NpySource source;
    imp_Status status = impi_npy_source_open_bools(context, bytes, size, name, &source);
    if (status == IMP_STATUS_OK)
        status = check_shape(&source);
    if (status == IMP_STATUS_OK)
        status = impi_npy_source_check_size(&source);
    if (status != IMP_STATUS_OK)
        return status;
    impi_NpyVoxels found = {.level = (uint32_t)__builtin_ctzll(source.header.shape[0])};
    found.count = (size_t)1 << 3 * found.level;
    found.voxels = impi_allocate(&context->allocator, found.count);
    if (!found.voxels)
        return impi_fail_out_of_memory(context);
    copy_voxels(&source, &found);
    *voxels = found;
    return IMP_STATUS_OK;
}

imp_Status impi_npy_load_voxels(imp_Context *context, const char *path, impi_NpyVoxels *voxels)
{
    impi_FileBytes file;
    imp_Status status = impi_npy_load_bytes(context, path, &file);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_npy_read_voxels(context, file.data, file.size, path, voxels);
    impi_file_bytes_free(context, &file);
    return status;
}

void impi_npy_free_voxels(imp_Context *context, impi_NpyVoxels *voxels)
{
    impi_release(&context->allocator, voxels->voxels, voxels->count);
    *voxels = (impi_NpyVoxels){0};
}

imp_Status impi_npy_save_voxels(imp_Context *context, const imp_Octree *octree, const char *path)
{
    imp_OctreeInfo info;
    imp_Status status = imp_octree_get_info(octree, &info);
    if (status != IMP_STATUS_OK)
        return status;
    impi_Place place = IMPI_NO_PLACE;
    place.file = path;
    if (info.grid.level > IMPI_MAX_NPY_LEVEL)
        return impi_fail_at(context, IMP_STATUS_TOO_LARGE, place,
                            "an octree of level %u has too many voxels for an array; %d is the last level",
                            (unsigned)info.grid.level, IMPI_MAX_NPY_LEVEL);
    size_t n = (size_t)1 << info.grid.level, count = n * n * n;
    uint8_t *voxels = impi_allocate(&context->allocator, count);
    if (!voxels)
        return impi_fail_out_of_memory(context);
    impi_NpyArray array = {
        .type = IMPI_NPY_BOOL, .dimension_count = 3, .shape = {n, n, n}, .numbers = voxels};
    status = imp_octree_get_voxels(context, octree, voxels, count);
    if (status == IMP_STATUS_OK)
        status = impi_npy_save(context, path, &array);
    impi_release(&context->allocator, voxels, count);
    return status;
}
