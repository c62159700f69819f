// Whatever the bytes are, they are an octree, which reads back as it was from each kind of file that can hold
// it, or an error that names the file. The first byte says what kind of file the others are; checksums can be
// mended, so that what they protect is reached.

#include "fuzz_file.h"

#include "io/checksum.h"
#include "io/octree_file.h"
#include "io/packed_octree.h"

#include <impinge/impinge.h>

#include <string.h>

#define MAX_BYTES 8192
#define MAX_MAP_LEVEL                                                                                        \
    5 // off the cells of an OctoMap, a cube takes as many of its voxels as lie on its surface

enum { AS_IT_IS, MENDED, TEXT, OCTOMAP, UNKNOWN_IS_BLACK, KIND_COUNT };

static void store(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; ++i)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static void mend(uint8_t *bytes, size_t size)
{
    if (size < IMPI_OCT_HEADER_SIZE + IMPI_OCT_END_SIZE)
        return;
    size_t cell_bytes = size - IMPI_OCT_HEADER_SIZE - IMPI_OCT_END_SIZE;
    store(bytes + IMPI_OCT_CHECKSUM_AT, impi_checksum(0, bytes, IMPI_OCT_CHECKSUM_AT));
    store(bytes + size - IMPI_OCT_END_SIZE, impi_checksum(0, bytes + IMPI_OCT_HEADER_SIZE, cell_bytes));
}

static void check_round_trip(imp_Context *context, const imp_Octree *octree, const char *extension)
{
    char path[FUZZ_MAX_PATH];
    imp_Octree *back = NULL;
    imp_OctreeInfo info = {0}, back_info = {0};
    bool equal = false;
    fuzz_demand(imp_octree_get_info(octree, &info) == IMP_STATUS_OK, "octrees tell about themselves");
    imp_OctreeLoadDef def = {.grid = info.grid};
    bool is_map = strcmp(extension, "bt") == 0;
    if (is_map && info.grid.level > MAX_MAP_LEVEL)
        return;
    fuzz_write_file(path, extension, (const uint8_t *)"", 0);
    imp_Status status = imp_octree_save(context, octree, path);
    fuzz_demand(status == IMP_STATUS_OK || (is_map && status == IMP_STATUS_BAD_SHAPE), "octrees are written");
    if (status == IMP_STATUS_OK) {
        fuzz_demand(imp_octree_load(context, path, &def, &back) == IMP_STATUS_OK, "octrees read back");
        fuzz_demand(imp_octree_get_info(back, &back_info) == IMP_STATUS_OK, "octrees tell about themselves");
        fuzz_demand(back_info.black_voxel_count == info.black_voxel_count, "voxels stay black");
        fuzz_demand(imp_octree_equal(octree, back, &equal) == IMP_STATUS_OK && (equal || is_map),
                    "octrees read back as they were");
    }
    imp_octree_release(back);
    remove(path);
}

static void check_octree(imp_Context *context, const imp_Octree *octree)
{
    imp_Octree *inverse = NULL, *back = NULL;
    bool equal = false;
    fuzz_demand(imp_octree_complement(context, octree, &inverse) == IMP_STATUS_OK,
                "octrees have complements");
    fuzz_demand(imp_octree_complement(context, inverse, &back) == IMP_STATUS_OK, "complements have them too");
    fuzz_demand(imp_octree_equal(octree, back, &equal) == IMP_STATUS_OK && equal, "twice is not at all");
    imp_octree_release(inverse);
    imp_octree_release(back);
    check_round_trip(context, octree, "oct");
    check_round_trip(context, octree, "df");
    check_round_trip(context, octree, "bt");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const extensions[] = {"oct", "oct", "df", "bt", "bt"};
    static uint8_t content[MAX_BYTES];
    imp_Context *context;
    char path[FUZZ_MAX_PATH];
    if (size == 0 || size > MAX_BYTES || imp_context_create(NULL, &context) != IMP_STATUS_OK)
        return 0;
    unsigned kind = bytes[0] % KIND_COUNT;
    memcpy(content, bytes + 1, size - 1);
    if (kind == MENDED)
        mend(content, size - 1);
    imp_Octree *octree = NULL;
    imp_OctreeLoadDef def = {.unknown_is_black = kind == UNKNOWN_IS_BLACK};
    if (fuzz_write_file(path, extensions[kind], content, size - 1)) {
        imp_Status status = imp_octree_load(context, path, &def, &octree);
        fuzz_demand((status == IMP_STATUS_OK) == (octree != NULL), "an octree comes with success");
        remove(path);
        if (octree)
            check_octree(context, octree);
        const imp_Error *error = imp_context_get_error(context);
        fuzz_demand(octree || error->status == status, "the error is the status's");
        fuzz_demand(octree || strstr(error->message, path) == error->message, "the error names the file");
    }
    imp_octree_release(octree);
    imp_context_destroy(context);
    return 0;
}
