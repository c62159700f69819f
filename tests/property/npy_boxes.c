// Arrays of boxes in every layout that is read, beside brute force: random boxes on a grid are written as a
// file in memory, in some type, byte order, shape and order, read, given a margin, and searched for pairs,
// within one array and between two. Coordinates are multiples of 1/8, so that integers decide what is a pair.
#include "kit/npy_reader.h"

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FRAMES 3
#define MAX_BOXES  24
#define GRID       8 // to the unit
#define MAX_FILE   (256 + MAX_FRAMES * MAX_BOXES * 6 * 8)

// Coordinates in eighths: of frames, boxes, corners, axes.
typedef struct Boxes {
    size_t frame_count, box_count, axes;
    int64_t eighths[MAX_FRAMES][MAX_BOXES][2][3];
} Boxes;

typedef struct Layout {
    impi_NpyType type;
    bool is_big_endian, is_fortran, has_corners, has_frames;
} Layout;

typedef struct File {
    _Alignas(64) unsigned char bytes[MAX_FILE];
    size_t size;
} File;

static bool is_integer(impi_NpyType type)
{
    return type < IMPI_NPY_FLOAT32;
}

static Layout random_layout(bool has_frames)
{
    return (Layout){.type = (impi_NpyType)test_random_below(IMPI_NPY_NUMBER_TYPE_COUNT),
                    .is_big_endian = test_random_below(2),
                    .is_fortran = test_random_below(2),
                    .has_corners = test_random_below(2),
                    .has_frames = has_frames};
}

static void make_boxes(const Layout *layout, size_t axes, size_t frame_count, Boxes *boxes)
{
    boxes->axes = axes;
    boxes->frame_count = frame_count;
    boxes->box_count = test_random_below(MAX_BOXES + 1);
    if (layout->has_frames && boxes->box_count == 0)
        boxes->box_count = 1;
    int64_t unit = is_integer(layout->type) ? GRID : 1;
    bool has_sign = layout->type <= IMPI_NPY_INT64 || !is_integer(layout->type);
    for (size_t frame = 0; frame < frame_count; ++frame)
        for (size_t box = 0; box < boxes->box_count; ++box)
            for (size_t axis = 0; axis < 3; ++axis) {
                int64_t *low = &boxes->eighths[frame][box][0][axis],
                        *high = &boxes->eighths[frame][box][1][axis];
                *low =
                    unit * ((int64_t)test_random_below((uint32_t)(80 / unit)) - (has_sign ? 40 / unit : 0));
                *high = *low + unit * (int64_t)test_random_below((uint32_t)(16 / unit) + 1);
                if (axis >= axes)
                    *low = *high = 0;
            }
}

// ---- files

static void put_number(File *file, size_t offset, const Layout *layout, int64_t eighths)
{
    size_t size = impi_npy_type_size(layout->type);
    uint64_t bits = (uint64_t)(eighths / GRID);
    float narrow = (float)eighths / GRID;
    double wide = (double)eighths / GRID;
    if (layout->type == IMPI_NPY_FLOAT64) {
        memcpy(&bits, &wide, sizeof bits);
    } else if (layout->type == IMPI_NPY_FLOAT32) {
        uint32_t half;
        memcpy(&half, &narrow, sizeof half);
        bits = half;
    }
    for (size_t i = 0; i < size; ++i)
        file->bytes[offset + (layout->is_big_endian ? size - 1 - i : i)] = (unsigned char)(bits >> 8 * i);
}

// Where an element is, with the dimensions and indices of an array of up to four.
static size_t element_at(const size_t *shape, const size_t *index, size_t count, bool is_fortran)
{
    size_t at = 0;
    for (size_t k = 0; k < count; ++k) {
        size_t dimension = is_fortran ? count - 1 - k : k;
        at = at * shape[dimension] + index[dimension];
    }
    return at;
}

static size_t put_header(File *file, const Layout *layout, const size_t *shape, size_t count)
{
    char text[200];
    char order = impi_npy_type_size(layout->type) == 1 ? '|' : layout->is_big_endian ? '>' : '<';
    int length = snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (", order,
                          impi_npy_type_code(layout->type), layout->is_fortran ? "True" : "False");
    for (size_t k = 0; k < count; ++k)
        length += snprintf(text + length, sizeof text - (size_t)length, "%zu, ", shape[k]);
    length += snprintf(text + length, sizeof text - (size_t)length, "), }");
    // Aligned numbers are used where they are, others are copied.
    while ((10 + length) % 8 != 0 && test_random_below(2))
        text[length++] = ' ';
    memcpy(file->bytes, "\x93NUMPY\1\0", 8);
    file->bytes[8] = (unsigned char)length;
    file->bytes[9] = 0;
    memcpy(file->bytes + 10, text, (size_t)length);
    return 10 + (size_t)length;
}

static void write_file(const Boxes *boxes, const Layout *layout, File *file)
{
    size_t shape[4], count = 0, axes = boxes->axes, total = boxes->frame_count * boxes->box_count * 2 * axes;
    if (layout->has_frames)
        shape[count++] = boxes->frame_count;
    shape[count++] = boxes->box_count;
    if (layout->has_corners)
        shape[count++] = 2;
    shape[count++] = layout->has_corners ? axes : 2 * axes;
    size_t start = put_header(file, layout, shape, count), size = impi_npy_type_size(layout->type);
    for (size_t i = 0; i < total; ++i) {
        size_t axis = i % axes, corner = i / axes % 2, box = i / axes / 2 % boxes->box_count;
        size_t frame = i / axes / 2 / boxes->box_count, index[4], k = 0;
        if (layout->has_frames)
            index[k++] = frame;
        index[k++] = box;
        if (layout->has_corners)
            index[k++] = corner;
        index[k++] = layout->has_corners ? axis : corner * axes + axis;
        put_number(file, start + size * element_at(shape, index, count, layout->is_fortran), layout,
                   boxes->eighths[frame][box][corner][axis]);
    }
    file->size = start + size * total;
}

// ---- pairs

static bool are_near(const int64_t a[2][3], const int64_t b[2][3], int64_t margin)
{
    for (int axis = 0; axis < 3; ++axis)
        if (a[0][axis] - margin > b[1][axis] || b[0][axis] - margin > a[1][axis])
            return false;
    return true;
}

static size_t find_by_brute_force(const Boxes *a, const Boxes *b, size_t frame, int64_t margin,
                                  imp_IndexPair *pairs)
{
    size_t count = 0;
    for (uint32_t i = 0; i < a->box_count; ++i)
        for (uint32_t k = a == b ? i + 1 : 0; k < b->box_count; ++k)
            if (are_near(a->eighths[frame][i], b->eighths[frame][k], margin))
                pairs[count++] = (imp_IndexPair){i, k};
    return count;
}

static bool check_frame(imp_Context *context, const Boxes *a, const impi_NpyBoxes *read_a, const Boxes *b,
                        const impi_NpyBoxes *read_b, size_t frame, int64_t margin, size_t *found)
{
    imp_IndexPair want[MAX_BOXES * MAX_BOXES];
    const imp_IndexPair *pairs = NULL;
    size_t want_count = find_by_brute_force(a, b, frame, margin, want), count = 0;
    imp_BoxArray rows_a = impi_npy_frame(read_a, frame), rows_b = impi_npy_frame(read_b, frame);
    imp_Status status = a == b ? imp_pairs_list(context, &rows_a, &pairs, &count)
                               : imp_pairs_list_between(context, &rows_a, &rows_b, &pairs, &count);
    *found += want_count;
    return CHECK_INT(status, IMP_STATUS_OK) && CHECK_INT((int64_t)count, (int64_t)want_count) &&
           CHECK(count == 0 || memcmp(pairs, want, count * sizeof *pairs) == 0);
}

static bool read_boxes(imp_Context *context, const Boxes *boxes, const Layout *layout, int64_t margin,
                       File *file, impi_NpyBoxes *read)
{
    write_file(boxes, layout, file);
    bool fine =
        CHECK_INT(impi_npy_read_boxes(context, file->bytes, file->size, "a.npy", read), IMP_STATUS_OK) &&
        CHECK_INT((int64_t)read->frame_count, (int64_t)boxes->frame_count) &&
        CHECK_INT((int64_t)read->box_count, (int64_t)boxes->box_count) &&
        CHECK_INT(read->has_frames, layout->has_frames) && CHECK_INT(read->is_flat, boxes->axes == 2) &&
        CHECK_INT(read->type, layout->type) &&
        CHECK_INT(impi_npy_apply_margin(context, read, (double)margin / GRID), IMP_STATUS_OK);
    if (!fine)
        printf("%s\n%.*s\n", imp_context_get_error(context)->message, (int)file->bytes[8],
               (const char *)file->bytes + 10);
    return fine;
}

TEST(every_layout_agrees_with_brute_force)
{
    static File files[2];
    static Boxes boxes[2];
    uint64_t layouts_seen = 0, used_in_place = 0, case_count = test_count(4000);
    size_t found_among = 0, found_between = 0;
    imp_Context *context = NULL;
    bool fine = CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (uint64_t i = 0; fine && i < case_count; ++i) {
        bool has_frames = test_random_below(2);
        size_t axes = 2 + test_random_below(2),
               frame_count = has_frames ? test_random_below(MAX_FRAMES + 1) : 1;
        int64_t margin = test_random_below(2) ? test_random_below(20) : 0;
        impi_NpyBoxes read[2] = {{0}, {0}};
        for (int set = 0; set < 2 && fine; ++set) {
            Layout layout = random_layout(has_frames);
            make_boxes(&layout, axes, frame_count, &boxes[set]);
            fine = read_boxes(context, &boxes[set], &layout, margin, &files[set], &read[set]);
            layouts_seen |= UINT64_C(1)
                            << (4 * (unsigned)layout.type + 2u * layout.is_fortran + layout.has_corners);
            used_in_place += !read[set].storage;
        }
        for (size_t frame = 0; frame < frame_count && fine; ++frame)
            fine =
                check_frame(context, &boxes[0], &read[0], &boxes[0], &read[0], frame, margin, &found_among) &&
                check_frame(context, &boxes[0], &read[0], &boxes[1], &read[1], frame, margin, &found_between);
        for (int set = 0; set < 2; ++set)
            impi_npy_free_boxes(context, &read[set]);
    }
    if (fine && case_count >= 4000)
        CHECK(layouts_seen == (UINT64_C(1) << 4 * IMPI_NPY_NUMBER_TYPE_COUNT) - 1 && found_among > 5000 &&
              found_between > 10000 && used_in_place > 100);
    imp_context_destroy(context);
}
