#define _XOPEN_SOURCE 700 // mkdtemp

#include "kit/npy_queries.h"
#include "kit/npy_reader.h"
#include "kit/npy_writer.h"

#include "failing_allocator.h"
#include "mesh_files.h"

#include <math.h>

#define MAX_FILE 4096

typedef struct File {
    unsigned char bytes[MAX_FILE];
    size_t size;
} File;

// A file with this text as its header, unpadded, and `number_size` bytes of numbers behind it.
static File make_file(unsigned major, const char *header, const void *numbers, size_t number_size)
{
    File file = {.size = 0};
    size_t length = strlen(header), length_size = major == 1 ? 2 : 4;
    memcpy(file.bytes, "\x93NUMPY", 6);
    file.bytes[6] = (unsigned char)major;
    for (size_t i = 0; i < length_size; ++i)
        file.bytes[8 + i] = (unsigned char)(length >> (8 * i));
    memcpy(file.bytes + 8 + length_size, header, length);
    file.size = 8 + length_size + length;
    if (number_size)
        memcpy(file.bytes + file.size, numbers, number_size);
    file.size += number_size;
    return file;
}

static const double two_boxes[12] = {0, 0, 0, 1, 1, 1, 1, 0.5, -2, 3, 4, 1e300};
static const float two_float_boxes[12] = {0, 0, 0, 1, 1, 1, 1, 0.5F, -2, 3, 4, 1e30F};

#define HEADER(type, shape) "{'descr': '" type "', 'fortran_order': False, 'shape': " shape ", }\n"

static imp_Status read_file_bytes(imp_Context *context, const File *file, impi_NpyBoxes *boxes)
{
    // A copy of exactly this size, so that sanitizers see each byte that is read beyond it.
    unsigned char *copy = malloc(file->size + 1);
    memcpy(copy, file->bytes, file->size);
    imp_Status status = impi_npy_read_boxes(context, copy, file->size, "a.npy", boxes);
    if (status == IMP_STATUS_OK && file->size > 0 && boxes->rows != boxes->storage) {
        static unsigned char kept[MAX_FILE];
        memcpy(kept, copy, file->size);
        boxes->rows = kept + ((const unsigned char *)boxes->rows - copy);
    }
    free(copy);
    return status;
}

static void check_reads(const File *file, size_t frames, size_t count, const void *numbers, size_t size)
{
    imp_Context *context = new_context();
    impi_NpyBoxes boxes = {0};
    if (CHECK_INT(read_file_bytes(context, file, &boxes), IMP_STATUS_OK)) {
        CHECK_INT((int64_t)boxes.frame_count, (int64_t)frames);
        CHECK_INT((int64_t)boxes.box_count, (int64_t)count);
        CHECK(size == 0 || memcmp(boxes.rows, numbers, size) == 0);
        impi_npy_free_boxes(context, &boxes);
    } else {
        printf("  %s\n", imp_context_get_error(context)->message);
    }
    imp_context_destroy(context);
}

static void check_refused(const File *file, imp_Status status, const char *message)
{
    imp_Context *context = new_context();
    impi_NpyBoxes boxes = {.box_count = 77};
    CHECK_INT(read_file_bytes(context, file, &boxes), status);
    CHECK_TEXT(imp_context_get_error(context)->message, message);
    CHECK_TEXT(imp_context_get_error(context)->file, "a.npy");
    CHECK_INT((int64_t)boxes.box_count, 77);
    imp_context_destroy(context);
}

static void check_bad_box(const File *file, uint64_t box, const char *message)
{
    imp_Context *context = new_context();
    impi_NpyBoxes boxes = {.box_count = 77};
    CHECK_INT(read_file_bytes(context, file, &boxes), IMP_STATUS_BAD_NUMBER);
    CHECK_TEXT(imp_context_get_error(context)->message, message);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, (int64_t)box);
    CHECK_INT((int64_t)boxes.box_count, 77);
    imp_context_destroy(context);
}

static void check_header_refused(const char *header, imp_Status status, const char *message)
{
    File file = make_file(1, header, two_boxes, sizeof two_boxes);
    check_refused(&file, status, message);
}

TEST(all_versions_and_types_are_read)
{
    for (unsigned version = 1; version <= 3; ++version) {
        File doubles = make_file(version, HEADER("<f8", "(2, 6)"), two_boxes, sizeof two_boxes);
        check_reads(&doubles, 1, 2, two_boxes, sizeof two_boxes);
        File floats = make_file(version, HEADER("<f4", "(2, 6)"), two_float_boxes, sizeof two_float_boxes);
        check_reads(&floats, 1, 2, two_float_boxes, sizeof two_float_boxes);
    }
}

static File swap_numbers(File file, size_t count, size_t number_size)
{
    unsigned char *numbers = file.bytes + file.size - count * number_size;
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < number_size / 2; ++k) {
            unsigned char *low = numbers + i * number_size + k;
            unsigned char *high = numbers + (i + 1) * number_size - 1 - k;
            unsigned char kept = *low;
            *low = *high;
            *high = kept;
        }
    return file;
}

TEST(the_other_byte_order_is_read)
{
    File doubles = make_file(1, HEADER(">f8", "(2, 6)"), two_boxes, sizeof two_boxes);
    doubles = swap_numbers(doubles, 12, sizeof(double));
    check_reads(&doubles, 1, 2, two_boxes, sizeof two_boxes);
    File floats = make_file(1, HEADER(">f4", "(2, 6)"), two_float_boxes, sizeof two_float_boxes);
    floats = swap_numbers(floats, 12, sizeof(float));
    check_reads(&floats, 1, 2, two_float_boxes, sizeof two_float_boxes);
}

TEST(any_spelling_of_the_header_is_read)
{
    static const char *const headers[] = {
        "{\"shape\":(2,6),\"fortran_order\":False,\"descr\":\"<f8\"}",
        " { 'fortran_order' : False ,\n'shape' : ( 2 , 6 , ) , 'descr' : '<f8' , } \n\n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (002, 6)}",
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; ++i) {
        File file = make_file(1, headers[i], two_boxes, sizeof two_boxes);
        check_reads(&file, 1, 2, two_boxes, sizeof two_boxes);
    }
}

TEST(frames_follow_each_other)
{
    imp_Context *context = new_context();
    impi_NpyBoxes boxes = {0};
    File file = make_file(1, HEADER("<f8", "(2, 1, 6)"), two_boxes, sizeof two_boxes);
    if (CHECK_INT(read_file_bytes(context, &file, &boxes), IMP_STATUS_OK)) {
        CHECK(boxes.has_frames);
        imp_BoxArray second = impi_npy_frame(&boxes, 1);
        CHECK_INT((int64_t)second.count, 1);
        CHECK(second.boxes && !second.float_boxes && memcmp(second.boxes, two_boxes + 6, 48) == 0);
        impi_npy_free_boxes(context, &boxes);
    }
    imp_context_destroy(context);
}

TEST(no_boxes_are_fine)
{
    File none = make_file(1, HEADER("<f8", "(0, 6)"), NULL, 0);
    check_reads(&none, 1, 0, NULL, 0);
    File no_frames = make_file(1, HEADER("<f4", "(0, 5, 6)"), NULL, 0);
    check_reads(&no_frames, 0, 5, NULL, 0);
    File empty_frames = make_file(1, HEADER("<f4", "(99999999999, 0, 6)"), NULL, 0);
    check_refused(&empty_frames, IMP_STATUS_UNSUPPORTED,
                  "a.npy: the frames have no boxes, expected at least one (at byte 60)");
}

TEST(truncation_at_every_byte)
{
    for (unsigned version = 1; version <= 2; ++version) {
        File whole = make_file(version, HEADER("<f8", "(2, 6)"), two_boxes, sizeof two_boxes);
        for (size_t size = 0; size < whole.size; ++size) {
            imp_Context *context = new_context();
            impi_NpyBoxes boxes = {0};
            File cut = whole;
            cut.size = size;
            CHECK_INT(read_file_bytes(context, &cut, &boxes), IMP_STATUS_BAD_FILE);
            CHECK(imp_context_get_error(context)->byte_offset <= size);
            CHECK(strncmp(imp_context_get_error(context)->message, "a.npy: ", 7) == 0);
            imp_context_destroy(context);
        }
    }
}

TEST(what_is_no_array_is_refused_with_its_place)
{
    File file = {.size = 0};
    check_refused(&file, IMP_STATUS_BAD_FILE, "a.npy: the file is empty, expected a NumPy array (at byte 0)");
    file.size = 5;
    memcpy(file.bytes, "solid", 5);
    check_refused(&file, IMP_STATUS_BAD_FILE,
                  "a.npy: this is no NumPy array file: expected it to begin with \\x93NUMPY (at byte 0)");
    file = make_file(4, HEADER("<f8", "(2, 6)"), two_boxes, sizeof two_boxes);
    check_refused(&file, IMP_STATUS_UNSUPPORTED,
                  "a.npy: expected version 1.0, 2.0 or 3.0 of the NumPy format (at byte 6)");
    file = make_file(2, HEADER("<f8", "(2, 6)"), two_boxes, sizeof two_boxes);
    memset(file.bytes + 8, 0xFF, 4);
    check_refused(&file, IMP_STATUS_BAD_FILE,
                  "a.npy: the header is longer than the rest of the file (at byte 8)");
    file = make_file(1, HEADER("<f8", "(2, 6)"), two_boxes, sizeof two_boxes);
    ++file.size;
    check_refused(&file, IMP_STATUS_BAD_FILE,
                  "a.npy: expected the file to end here: its header promises 96 bytes of numbers and there "
                  "are 97 (at byte 166)");
}

TEST(headers_are_read_strictly)
{
    static const struct {
        const char *header, *message;
    } cases[] = {
        {"", "a.npy: expected '{' in the header (at byte 10)"},
        {"[]", "a.npy: expected '{' in the header (at byte 10)"},
        {"{}", "a.npy: expected 'descr', 'fortran_order' and 'shape', once each, in the header (at byte 12)"},
        {"{'descr' '<f8'}", "a.npy: expected ':' in the header (at byte 19)"},
        {"{'descr': '<f8', 'descr': '<f8'}",
         "a.npy: expected 'descr', 'fortran_order' and 'shape', once each, in the header (at byte 27)"},
        {"{'descr': '<f8', 'sorted': True}",
         "a.npy: expected 'descr', 'fortran_order' and 'shape', once each, in the header (at byte 27)"},
        {"{'descr': <f8}", "a.npy: expected a type in quotes, like '<f8', in the header (at byte 20)"},
        {"{'descr': '<f8", "a.npy: expected a type in quotes, like '<f8', in the header (at byte 20)"},
        {"{'descr': '<ffffffffffffffffffffffffffffffff8'}",
         "a.npy: expected a type in quotes, like '<f8', in the header (at byte 20)"},
        {"{'fortran_order': 0}", "a.npy: expected True or False in the header (at byte 28)"},
        {"{'shape': 6}", "a.npy: expected a shape in parentheses in the header (at byte 20)"},
        {"{'shape': (2, -6)}", "a.npy: expected a whole number below 2^64 or ')' in the header (at byte 24)"},
        {"{'shape': (2 6)}", "a.npy: expected ',' or ')' in the header (at byte 23)"},
        {"{'shape': (99999999999999999999, 6)}",
         "a.npy: expected a whole number below 2^64 or ')' in the header (at byte 21)"},
        {"{'shape': (2, 6) 'descr': '<f8'}", "a.npy: expected ',' or '}' in the header (at byte 27)"},
        {"{'shape': (2, 6),",
         "a.npy: expected 'descr', 'fortran_order' and 'shape', once each, in the header "
         "(at byte 27)"},
        {HEADER("<f8", "(2, 6)") "x", "a.npy: expected nothing but blanks behind '}' in the header (at byte "
                                      "70)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        check_header_refused(cases[i].header, IMP_STATUS_BAD_FILE, cases[i].message);
}

#define BAD_TYPE(type)                                                                                       \
    "a.npy: the array is of type '" type "', expected float32, float64 or integers of 8, 16, 32 or 64 bits " \
    "(at byte 20)"
#define BAD_SHAPE                                                                                            \
    "a.npy: expected an array of the shape (boxes, 6) or (boxes, 2, 3), or of flat boxes (boxes, 4) or "     \
    "(boxes, 2, 2), or with frames before the boxes (at byte 60)"

TEST(arrays_of_other_kinds_are_named)
{
    static const struct {
        const char *header, *message;
    } cases[] = {
        {HEADER("<f2", "(2, 6)"), BAD_TYPE("<f2")},
        {HEADER("|b1", "(2, 6)"), BAD_TYPE("|b1")},
        {HEADER("|f8", "(2, 6)"), BAD_TYPE("|f8")},
        {HEADER("=f8", "(2, 6)"), BAD_TYPE("=f8")},
        {HEADER("<f16", "(2, 6)"), BAD_TYPE("<f16")},
        {HEADER("", "(2, 6)"), BAD_TYPE("")},
        {"{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (2, 6)}",
         "a.npy: the array is of a structured type, expected plain numbers (at byte 20)"},
        {HEADER("<f8", "()"), BAD_SHAPE},
        {HEADER("<f8", "(6,)"), BAD_SHAPE},
        {HEADER("<f8", "(12,)"), BAD_SHAPE},
        {HEADER("<f8", "(4, 3)"), BAD_SHAPE},
        {HEADER("<f8", "(2, 3)"), BAD_SHAPE},
        {HEADER("<f8", "(2, 2)"), BAD_SHAPE},
        {HEADER("<f8", "(2, 3, 3)"), BAD_SHAPE},
        {HEADER("<f8", "(3, 2, 5)"), BAD_SHAPE},
        {HEADER("<f8", "(1, 1, 2, 6)"), BAD_SHAPE},
        {HEADER("<f8", "(1, 1, 2, 4)"), BAD_SHAPE},
        {HEADER("<f8", "(1, 1, 1, 2, 3)"), "a.npy: the array has more than 4 dimensions (at byte 60)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        check_header_refused(cases[i].header, IMP_STATUS_UNSUPPORTED, cases[i].message);
}

// Which box, and what is wrong with it; the order is that of the columns, before that not being finite.
TEST(bad_boxes_are_named_with_what_is_wrong)
{
    double rows[2][6] = {{0, 0, 0, 1, 1, 1}, {0, 3, 0, 1, 2, 1}};
    File file = make_file(1, HEADER("<f8", "(2, 6)"), rows, sizeof rows);
    check_bad_box(&file, 1, "a.npy: box 1: min y 3 exceeds max y 2");
    file = make_file(1, HEADER("<f8", "(2, 1, 6)"), rows, sizeof rows);
    check_bad_box(&file, 0, "a.npy: frame 1: box 0: min y 3 exceeds max y 2");
    file = make_file(1, HEADER("<f8", "(2, 1, 2, 3)"), rows, sizeof rows);
    check_bad_box(&file, 0, "a.npy: frame 1: box 0: min y 3 exceeds max y 2");
    rows[1][5] = NAN;
    file = make_file(1, HEADER("<f8", "(2, 2, 3)"), rows, sizeof rows);
    check_bad_box(&file, 1, "a.npy: box 1: max z is nan");
    rows[0][0] = 0.1, rows[0][3] = -INFINITY;
    file = make_file(1, HEADER("<f8", "(2, 6)"), rows, sizeof rows);
    check_bad_box(&file, 0, "a.npy: box 0: max x is -inf");
    rows[0][3] = 1e-300;
    file = make_file(1, HEADER("<f8", "(2, 6)"), rows, sizeof rows);
    check_bad_box(&file, 0, "a.npy: box 0: min x 0.1 exceeds max x 1e-300");
    float floats[4] = {0, 16777216, 1, 0.1F};
    file = make_file(1, HEADER("<f4", "(1, 2, 2)"), floats, sizeof floats);
    check_bad_box(&file, 0, "a.npy: box 0: min y 16777216 exceeds max y 0.1");
    int8_t bytes[2][4] = {{-128, -1, 127, 0}, {0, -1, 0, -2}};
    file = make_file(1, HEADER("|i1", "(2, 4)"), bytes, sizeof bytes);
    check_bad_box(&file, 1, "a.npy: box 1: min y -1 exceeds max y -2");
}

// 2^53 + 1 is no double; multiples of powers of two beyond it are.
TEST(integers_that_are_no_doubles_are_named)
{
    int64_t rows[2][4] = {{INT64_MIN, -9007199254740992, 9007199254740994, INT64_C(1) << 62}, {0, 0, 1, 1}};
    double want[6] = {-9223372036854775808.0, -9007199254740992.0,   0,
                      9007199254740994.0,     4611686018427387904.0, 0};
    File file = make_file(1, HEADER("<i8", "(1, 4)"), rows, sizeof rows[0]);
    check_reads(&file, 1, 1, want, sizeof want);
    rows[1][0] = -9007199254740993;
    file = make_file(1, HEADER("<i8", "(2, 2, 2)"), rows, sizeof rows);
    check_bad_box(&file, 1, "a.npy: box 1: min x -9007199254740993 is no double");
    rows[0][3] = INT64_MAX;
    file = make_file(1, HEADER("<i8", "(2, 2, 2)"), rows, sizeof rows);
    check_bad_box(&file, 0, "a.npy: box 0: max y 9223372036854775807 is no double");
    uint64_t large[6] = {0, 0, 0, 1, UINT64_MAX, 1};
    file = make_file(1, HEADER("<u8", "(1, 1, 6)"), large, sizeof large);
    check_bad_box(&file, 0, "a.npy: frame 0: box 0: max y 18446744073709551615 is no double");
    large[4] = UINT64_MAX - 2047;
    double want_large[6] = {0, 0, 0, 1, 18446744073709549568.0, 1};
    file = make_file(1, HEADER("<u8", "(1, 6)"), large, sizeof large);
    check_reads(&file, 1, 1, want_large, sizeof want_large);
}

TEST(hostile_headers_take_no_memory)
{
    static const char *const shapes[] = {"(1000000000, 6)", "(18446744073709551615, 6)",
                                         "(4294967296, 4294967296, 6)", "(384307168202282326, 6)"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        FailingAllocator memory;
        failing_allocator_init(&memory, 0);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        impi_NpyBoxes boxes = {0};
        char header[200];
        // Big-endian numbers would need a copy.
        snprintf(header, sizeof header, "{'descr': '>f8', 'fortran_order': False, 'shape': %s}", shapes[i]);
        File file = make_file(1, header, two_boxes, sizeof two_boxes);
        CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
        uint64_t before = atomic_load(&memory.allocations);
        CHECK_INT(read_file_bytes(context, &file, &boxes), IMP_STATUS_BAD_FILE);
        CHECK_INT((int64_t)atomic_load(&memory.allocations), (int64_t)before);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    }
}

static void check_written(imp_Context *context, const char *path, const impi_NpyArray *array,
                          const char *header, size_t number_size)
{
    size_t size = 0;
    CHECK_INT(impi_npy_save(context, path, array), IMP_STATUS_OK);
    char *bytes = read_file(path, &size);
    if (!CHECK(bytes != NULL))
        return;
    CHECK_INT((int64_t)size, 128 + (int64_t)number_size);
    CHECK(memcmp(bytes, "\x93NUMPY\1\0\x76\0", 10) == 0);
    CHECK(strncmp(bytes + 10, header, strlen(header)) == 0);
    CHECK_INT((int64_t)strspn(bytes + 10 + strlen(header), " "), 117 - (int64_t)strlen(header));
    CHECK_INT(bytes[127], '\n');
    free(bytes);
}

TEST(what_is_written_is_what_numpy_writes)
{
    char folder[MAX_TEST_PATH];
    static const uint32_t pairs[] = {0, 1, 1, 7};
    imp_Context *context = new_context();
    make_folder(folder);
    const char *path = path_in(folder, "a.npy");
    check_written(context, path, &(impi_NpyArray){IMPI_NPY_UINT32, 2, {2, 2}, pairs},
                  "{'descr': '<u4', 'fortran_order': False, 'shape': (2, 2), }", 16);
    check_written(context, path, &(impi_NpyArray){IMPI_NPY_UINT32, 2, {0, 2}, NULL},
                  "{'descr': '<u4', 'fortran_order': False, 'shape': (0, 2), }", 0);
    check_written(context, path, &(impi_NpyArray){IMPI_NPY_UINT8, 4, {1, 2, 2, 4}, pairs},
                  "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2, 2, 4), }", 16);
    check_written(context, path, &(impi_NpyArray){IMPI_NPY_UINT32, 1, {4}, pairs},
                  "{'descr': '<u4', 'fortran_order': False, 'shape': (4,), }", 16);
    remove_folder(folder);
    imp_context_destroy(context);
}

static void check_round_trip(const impi_NpyArray *array, size_t size)
{
    char folder[MAX_TEST_PATH];
    imp_Context *context = new_context();
    impi_NpyBoxes boxes = {0};
    make_folder(folder);
    const char *path = path_in(folder, "boxes.npy");
    CHECK_INT(impi_npy_save(context, path, array), IMP_STATUS_OK);
    CHECK_INT(count_files(folder), 1);
    path = path_in(folder, "boxes.npy");
    if (CHECK_INT(impi_npy_load_boxes(context, path, &boxes), IMP_STATUS_OK)) {
        CHECK(boxes.storage == NULL); // used where it is in the file
        CHECK(memcmp(boxes.rows, array->numbers, size) == 0);
        CHECK_INT(boxes.is_float, array->type == IMPI_NPY_FLOAT32);
        CHECK_INT(boxes.has_frames, array->dimension_count == 3);
        impi_npy_free_boxes(context, &boxes);
    }
    remove_folder(folder);
    imp_context_destroy(context);
}

TEST(boxes_survive_a_round_trip)
{
    check_round_trip(&(impi_NpyArray){IMPI_NPY_FLOAT64, 2, {2, 6}, two_boxes}, sizeof two_boxes);
    check_round_trip(&(impi_NpyArray){IMPI_NPY_FLOAT32, 2, {2, 6}, two_float_boxes}, sizeof two_float_boxes);
    check_round_trip(&(impi_NpyArray){IMPI_NPY_FLOAT64, 3, {2, 1, 6}, two_boxes}, sizeof two_boxes);
}

TEST(running_out_of_memory_is_a_status)
{
    File file = make_file(1, HEADER(">f8", "(2, 6)"), two_boxes, sizeof two_boxes);
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
    imp_Context *context = NULL;
    impi_NpyBoxes boxes = {0};
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    failing_allocator_arm(&memory, 1);
    CHECK_INT(read_file_bytes(context, &file, &boxes), IMP_STATUS_OUT_OF_MEMORY);
    CHECK(failing_allocator_has_failed(&memory));
    // The copy that a margin takes: boxes stay as they are without it.
    file = make_file(1, HEADER("<f8", "(2, 6)") "  ", two_boxes, sizeof two_boxes);
    CHECK_INT(impi_npy_read_boxes(context, file.bytes, file.size, "a.npy", &boxes), IMP_STATUS_OK);
    CHECK(boxes.storage == NULL);
    failing_allocator_arm(&memory, 1);
    CHECK_INT(impi_npy_apply_margin(context, &boxes, 1), IMP_STATUS_OUT_OF_MEMORY);
    CHECK(boxes.storage == NULL && memcmp(boxes.rows, two_boxes, sizeof two_boxes) == 0);
    failing_allocator_arm(&memory, 0);
    CHECK_INT(impi_npy_apply_margin(context, &boxes, 1), IMP_STATUS_OK);
    CHECK(boxes.storage != NULL && ((const double *)boxes.rows)[0] == -1);
    impi_npy_free_boxes(context, &boxes);
    imp_context_destroy(context);
    CHECK(failing_allocator_is_clean(&memory));
}

TEST(a_file_that_is_not_there_is_named)
{
    imp_Context *context = new_context();
    impi_NpyBoxes boxes = {0};
    CHECK_INT(impi_npy_load_boxes(context, "/nonexistent/a.npy", &boxes), IMP_STATUS_IO);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "/nonexistent/a.npy: can't open it");
    imp_context_destroy(context);
}

// ---- queries

// 2 x 8 x 3 numbers, each its place in C order.
static void fill_queries(double numbers[48])
{
    for (int i = 0; i < 48; ++i)
        numbers[i] = i;
}

static void check_queries(const File *file, bool in_place)
{
    imp_Context *context = new_context();
    impi_NpyQueries queries = {0};
    // Doubles are aligned, so that they can be used where they are.
    size_t shift = (8 - file->size % 8) % 8;
    unsigned char *copy = malloc(file->size + 8), *bytes = copy + shift;
    memcpy(bytes, file->bytes, file->size);
    if (CHECK_INT(impi_npy_read_queries(context, bytes, file->size, "q.npy", &queries), IMP_STATUS_OK)) {
        CHECK_INT((int64_t)queries.count, 2);
        CHECK((queries.storage == NULL) == in_place);
        for (int i = 0; i < 48; ++i) {
            const imp_SweepQuery *query = &queries.queries[i / 24];
            const imp_Vec3 *point = i % 24 < 12 ? &query->begin[i % 12 / 3] : &query->end[i % 12 / 3];
            CHECK((&point->x)[i % 3] == i);
        }
        impi_npy_free_queries(context, &queries);
    }
    free(copy);
    imp_context_destroy(context);
}

TEST(queries_of_all_types_and_orders_are_read)
{
    double numbers[48], fortran[48];
    float floats[48];
    uint8_t bytes[48];
    fill_queries(numbers);
    for (int i = 0; i < 48; ++i) {
        floats[i] = (float)numbers[i];
        bytes[i] = (uint8_t)i;
        fortran[i / 24 + 2 * (i % 24 / 3 + 8 * (i % 3))] = i;
    }
    File file = make_file(1, HEADER("<f8", "(2, 8, 3)"), numbers, sizeof numbers);
    check_queries(&file, true);
    file =
        swap_numbers(make_file(1, HEADER(">f8", "(2, 8, 3)"), numbers, sizeof numbers), 48, sizeof(double));
    check_queries(&file, false);
    file = make_file(2, HEADER("<f4", "(2, 8, 3)"), floats, sizeof floats);
    check_queries(&file, false);
    file = make_file(3, HEADER("|u1", "(2, 8, 3)"), bytes, sizeof bytes);
    check_queries(&file, false);
    file = make_file(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 8, 3), }\n", fortran,
                     sizeof fortran);
    check_queries(&file, false);
}

static void check_queries_refused(const File *file, imp_Status status, const char *message_part)
{
    imp_Context *context = new_context();
    impi_NpyQueries queries = {.count = 77};
    CHECK_INT(impi_npy_read_queries(context, file->bytes, file->size, "q.npy", &queries), status);
    CHECK_CONTAINS(imp_context_get_error(context)->message, message_part);
    CHECK_INT((int64_t)queries.count, 77);
    imp_context_destroy(context);
}

TEST(queries_of_another_shape_are_refused)
{
    static const char *const shapes[] = {
        HEADER("<f8", "(2, 24)"), HEADER("<f8", "(48,)"),     HEADER("<f8", "(2, 2, 4, 3)"),
        HEADER("<f8", "()"),      HEADER("<f8", "(2, 3, 8)"),
    };
    double numbers[48];
    int64_t wide[24] = {[5] = INT64_C(9007199254740993)};
    fill_queries(numbers);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        File file = make_file(1, shapes[i], numbers, sizeof numbers);
        check_queries_refused(&file, IMP_STATUS_UNSUPPORTED,
                              "expected an array of the shape (queries, 8, 3)");
    }
    File file = make_file(1, HEADER("<f8", "(3, 8, 3)"), numbers, sizeof numbers);
    check_queries_refused(&file, IMP_STATUS_BAD_FILE, "promises 576 bytes of numbers and there are 384");
    file = make_file(1, HEADER("<f8", "(1, 8, 3)"), numbers, sizeof numbers);
    check_queries_refused(&file, IMP_STATUS_BAD_FILE, "expected the file to end here");
    file = make_file(1, HEADER("<f8", "(9223372036854775807, 8, 3)"), numbers, sizeof numbers);
    check_queries_refused(&file, IMP_STATUS_BAD_FILE, "more numbers than any file can hold");
    file = make_file(1, HEADER("<c8", "(2, 8, 3)"), numbers, sizeof numbers);
    check_queries_refused(&file, IMP_STATUS_UNSUPPORTED, "the array is of type '<c8'");
    file = make_file(1, HEADER("<i8", "(1, 8, 3)"), wide, sizeof wide);
    check_queries_refused(&file, IMP_STATUS_BAD_NUMBER, "q.npy: query 0: 9007199254740993 is no double");
}

TEST(queries_that_find_no_memory_are_a_status)
{
    double numbers[48];
    fill_queries(numbers);
    File file = make_file(1, HEADER(">f8", "(2, 8, 3)"), numbers, sizeof numbers);
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
    imp_Context *context = NULL;
    impi_NpyQueries queries = {0};
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    failing_allocator_arm(&memory, 1);
    CHECK_INT(impi_npy_read_queries(context, file.bytes, file.size, "q.npy", &queries),
              IMP_STATUS_OUT_OF_MEMORY);
    CHECK(failing_allocator_has_failed(&memory));
    imp_context_destroy(context);
    CHECK(failing_allocator_is_clean(&memory));
}
