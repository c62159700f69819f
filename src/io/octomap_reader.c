// .bt: see octomap.h. The map is read as an octree of its whole cube, of which the part is kept that
// something is known of: the smallest cube of a power of two of voxels around that whose halves are cells of
// the map. So what was written by octomap_writer.c comes back on its grid, if that was such a cube.
#include "io/octomap.h"
#include "io/octree_reader.h"
#include "io/text_scanner.h"
#include "shape/octree_draft.h"
#include "shape/octree_shift.h"

#include <inttypes.h>

#define VOXELS (1u << IMPI_OCTOMAP_LEVEL) // along an edge

typedef struct Map {
    impi_OctreeReader *reader;
    double voxel; // what the header says, and where
    uint64_t size, voxel_offset, size_offset;
    impi_OctreeDraft draft;
    imp_CellColour unknown; // the colour of what nothing is known of
    uint64_t node_count;
    uint64_t known_count; // voxels
    uint32_t known_min[3], known_max[3];
    imp_Status status;
} Map;

// ---- the header

static imp_Status check_first_line(const impi_OctreeReader *reader)
{
    static const char beginning[] = IMPI_OCTOMAP_BEGINNING, other[] = "# Octomap OcTree file";
    size_t size = (size_t)(reader->window.end - reader->cursor);
    if (size >= sizeof other - 1 && memcmp(reader->cursor, other, sizeof other - 1) == 0)
        return impi_octree_refuse(reader, IMP_STATUS_UNSUPPORTED, 0,
                                  "it is an OctoMap with probabilities (.ot); only binary ones can be read");
    if (size < sizeof beginning - 1 || memcmp(reader->cursor, beginning, sizeof beginning - 1) != 0)
        return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, 0, "expected a first line of '%s'", beginning);
    return IMP_STATUS_OK;
}

// Behind the words "size" and "res".
static imp_Status read_size(Map *map, impi_TextScanner *scanner)
{
    int64_t size = -1;
    impi_scan_skip_blanks(scanner);
    map->size_offset = impi_byte_window_offset(&map->reader->window, scanner->cursor);
    if (impi_scan_take_integer(scanner, 0, &size) != IMPI_NUMBER_OK || size < 0)
        return impi_octree_refuse(map->reader, IMP_STATUS_BAD_FILE, map->size_offset,
                                  "expected the number of nodes behind 'size'");
    map->size = (uint64_t)size;
    return IMP_STATUS_OK;
}

static imp_Status read_voxel(Map *map, impi_TextScanner *scanner)
{
    impi_scan_skip_blanks(scanner);
    map->voxel_offset = impi_byte_window_offset(&map->reader->window, scanner->cursor);
    if (impi_scan_take_double(scanner, &map->voxel) != IMPI_NUMBER_OK || !(map->voxel > 0))
        return impi_octree_refuse(map->reader, IMP_STATUS_BAD_FILE, map->voxel_offset,
                                  "expected the edge of a voxel behind 'res'");
    return IMP_STATUS_OK;
}

// Lines up to "data", all of which the window has to hold.
static imp_Status read_header(Map *map)
{
    impi_OctreeReader *reader = map->reader;
    impi_TextScanner scanner;
    bool has_size = false, has_voxel = false, has_id = false;
    imp_Status status = check_first_line(reader);
    impi_scan_init(&scanner, reader->cursor, (size_t)(reader->window.end - reader->cursor));
    scanner.comment = '#';
    while (status == IMP_STATUS_OK) {
        if (!impi_scan_find_word(&scanner))
            return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE,
                                      impi_byte_window_offset(&reader->window, scanner.cursor),
                                      "expected a line 'data' at the end of the header");
        impi_Word word = impi_scan_take_word(&scanner);
        if (impi_word_is(word, "data"))
            break;
        if (impi_word_is(word, "size")) {
            has_size = true;
            status = read_size(map, &scanner);
        } else if (impi_word_is(word, "res")) {
            has_voxel = true;
            status = read_voxel(map, &scanner);
        } else {
            has_id |= impi_word_is(word, "id");
            impi_scan_skip_line(&scanner);
        }
    }
    if (status != IMP_STATUS_OK)
        return status;
    const char *end = memchr(scanner.cursor, '\n', (size_t)(scanner.end - scanner.cursor));
    reader->cursor = (const unsigned char *)(end ? end + 1 : scanner.end);
    if (!has_size || !has_voxel || !has_id)
        return impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, impi_octree_offset(reader),
                                  "the header has no '%s'",
                                  !has_id     ? "id"
                                  : !has_size ? "size"
                                              : "res");
    return IMP_STATUS_OK;
}

// ---- nodes

static void note_known(Map *map, const impi_OctreeCell *cell)
{
    uint32_t edge = VOXELS >> cell->level;
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t first = cell->at[axis] * edge;
        bool is_lower = map->known_count == 0 || first < map->known_min[axis];
        map->known_min[axis] = is_lower ? first : map->known_min[axis];
        map->known_max[axis] = first + edge > map->known_max[axis] ? first + edge : map->known_max[axis];
    }
    map->known_count += (uint64_t)edge * edge * edge;
    ++map->node_count;
}

static bool take_node(Map *map, unsigned *children)
{
    unsigned char bytes[IMPI_OCTOMAP_NODE_SIZE];
    impi_OctreeReader *reader = map->reader;
    for (int i = 0; i < IMPI_OCTOMAP_NODE_SIZE; ++i)
        if (!impi_octree_take_byte(reader, &bytes[i], &map->status)) {
            if (map->status == IMP_STATUS_OK)
                map->status = impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, impi_octree_offset(reader),
                                                 "the file ends before the map is complete");
            return false;
        }
    *children = bytes[0] | (unsigned)bytes[1] << 8;
    ++map->node_count;
    return true;
}

static imp_CellColour read_node(Map *map, const impi_OctreeCell *cell);

static imp_CellColour read_child(Map *map, const impi_OctreeCell *cell, unsigned kind, uint64_t offset)
{
    switch (kind) {
    case IMPI_OCTOMAP_FREE:
        note_known(map, cell);
        return IMP_CELL_WHITE;
    case IMPI_OCTOMAP_OCCUPIED:
        note_known(map, cell);
        return IMP_CELL_BLACK;
    case IMPI_OCTOMAP_NODE:
        if (cell->level < IMPI_OCTOMAP_LEVEL)
            return read_node(map, cell);
        map->status = impi_octree_refuse(map->reader, IMP_STATUS_BAD_FILE, offset,
                                         "a voxel, 16 levels below the root, has children");
        return IMP_CELL_WHITE;
    default:
        return map->unknown;
    }
}

static imp_CellColour read_node(Map *map, const impi_OctreeCell *cell)
{
    unsigned children = 0, gray = 0, black = 0;
    uint64_t offset = impi_octree_offset(map->reader);
    uint32_t first = impi_octree_draft_first(&map->draft, cell->level);
    if (!take_node(map, &children))
        return IMP_CELL_WHITE;
    for (unsigned octant = 0; octant < 8 && map->status == IMP_STATUS_OK; ++octant) {
        impi_OctreeCell child = impi_octree_child_cell(cell, octant);
        imp_CellColour colour = read_child(map, &child, children >> 2 * octant & 3, offset);
        gray |= (unsigned)(colour == IMP_CELL_GRAY) << octant;
        black |= (unsigned)(colour == IMP_CELL_BLACK) << octant;
    }
    imp_CellColour colour =
        impi_octree_draft_close(&map->draft, cell->level, first, (uint8_t)gray, (uint8_t)black);
    if (map->draft.is_out_of_memory && map->status == IMP_STATUS_OK)
        map->status = impi_fail_out_of_memory(map->reader->context);
    return colour;
}

// To the end of the file.
static imp_CellColour read_nodes(Map *map)
{
    impi_OctreeReader *reader = map->reader;
    imp_CellColour root = map->size > 0 ? read_node(map, &IMPI_ROOT_CELL) : map->unknown;
    if (map->status != IMP_STATUS_OK)
        return root;
    if (map->node_count != map->size)
        map->status = impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, map->size_offset,
                                         "the header promises %" PRIu64 " nodes, the map has %" PRIu64,
                                         map->size, map->node_count);
    else if (impi_octree_offset(reader) != reader->window.total)
        map->status = impi_octree_refuse(reader, IMP_STATUS_BAD_FILE, impi_octree_offset(reader),
                                         "the map is complete, and the file goes on");
    return root;
}

// ---- the part that is kept

static bool fits(const Map *map, uint32_t level, int32_t from[3])
{
    uint32_t half = 1u << (level - 1);
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t begin = map->known_min[axis] / half * half;
        if (begin > VOXELS - 2 * half)
            begin = VOXELS - 2 * half;
        if (map->known_max[axis] > begin + 2 * half)
            return false;
        from[axis] = (int32_t)begin;
    }
    return true;
}

static imp_Status keep_part(const Map *map, const imp_Octree *whole, imp_Octree **octree)
{
    int32_t from[3] = {0, 0, 0};
    uint32_t level = 1;
    while (!fits(map, level, from))
        ++level;
    imp_OctreeGrid grid = {{(double)(from[0] - IMPI_OCTOMAP_MIDDLE) * map->voxel,
                            (double)(from[1] - IMPI_OCTOMAP_MIDDLE) * map->voxel,
                            (double)(from[2] - IMPI_OCTOMAP_MIDDLE) * map->voxel},
                           map->voxel,
                           level};
    imp_Status status = impi_octree_check_read_grid(map->reader, map->voxel_offset, &grid);
    if (status == IMP_STATUS_OK)
        status = impi_octree_shift(map->reader->context, whole, &grid, from, octree);
    if (status == IMP_STATUS_OK && map->reader->def->unknown_count)
        *map->reader->def->unknown_count = ((uint64_t)1 << 3 * level) - map->known_count;
    return status;
}

imp_Status impi_read_octomap(impi_OctreeReader *reader, imp_Octree **octree)
{
    imp_Context *context = reader->context;
    const imp_OctreeGrid whole_grid = {{0, 0, 0}, 1, IMPI_OCTOMAP_LEVEL};
    Map map = {.reader = reader,
               .unknown = reader->def->unknown_is_black ? IMP_CELL_BLACK : IMP_CELL_WHITE,
               .known_min = {IMPI_OCTOMAP_MIDDLE, IMPI_OCTOMAP_MIDDLE, IMPI_OCTOMAP_MIDDLE}};
    imp_Octree *whole = NULL;
    imp_Status status = read_header(&map);
    if (status != IMP_STATUS_OK)
        return status;
    impi_octree_draft_begin(&map.draft, context, IMPI_OCTOMAP_LEVEL, true);
    imp_CellColour root = read_nodes(&map);
    status = map.status;
    if (status == IMP_STATUS_OK)
        status =
            impi_octree_draft_finish(context, &map.draft, &whole_grid, root, (impi_OctreeFlags){0}, &whole);
    impi_octree_draft_free(&map.draft);
    if (status == IMP_STATUS_OK)
        status = keep_part(&map, whole, octree);
    if (whole)
        impi_shape_release(&whole->shape);
    return status;
}
