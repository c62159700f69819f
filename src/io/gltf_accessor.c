#include "io/gltf_accessor.h"

#include "io/byte_order.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define MAX_STRIDE 252
#define READ_STEP  ((size_t)1 << 15) // elements that are read before the watch is asked

#define INLINE static inline __attribute__((always_inline))

static void read_view(impi_GltfReader *reader, const impi_JsonValue *object)
{
    const impi_Gltf *gltf = reader->gltf;
    impi_GltfView *view = &gltf->views[reader->number];
    uint32_t buffer = impi_gltf_needed_index(reader, object, "buffer", "buffer", gltf->buffer_count);
    uint64_t offset = impi_gltf_integer(reader, object, "byteOffset", SIZE_MAX / 2, 0);
    uint64_t size = impi_gltf_integer(reader, object, "byteLength", SIZE_MAX / 2, 0);
    view->stride = (size_t)impi_gltf_integer(reader, object, "byteStride", MAX_STRIDE, 0);
    if (reader->status != IMP_STATUS_OK)
        return;
    size_t available = gltf->buffers[buffer].size;
    if (offset > available || size > available - offset) {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "it goes beyond buffer %u, which has %zu bytes",
                       (unsigned)buffer, available);
        return;
    }
    view->bytes = gltf->buffers[buffer].bytes + offset;
    view->size = (size_t)size;
}

void impi_gltf_read_views(impi_GltfReader *reader)
{
    impi_Gltf *gltf = reader->gltf;
    gltf->views = impi_gltf_make_items(reader, "bufferViews", sizeof *gltf->views, &gltf->view_count);
    impi_gltf_read_items(reader, "bufferViews", "bufferView", read_view);
}

static size_t component_size(impi_GltfComponent component)
{
    switch (component) {
    case IMPI_GLTF_BYTE:
    case IMPI_GLTF_UNSIGNED_BYTE:
        return 1;
    case IMPI_GLTF_SHORT:
    case IMPI_GLTF_UNSIGNED_SHORT:
        return 2;
    case IMPI_GLTF_UNSIGNED_INT:
    case IMPI_GLTF_FLOAT:
        return 4;
    }
    return 0;
}

static impi_GltfComponent read_component(impi_GltfReader *reader, const impi_JsonValue *object)
{
    impi_GltfComponent component =
        (impi_GltfComponent)impi_gltf_integer(reader, object, "componentType", UINT16_MAX, 0);
    if (component_size(component) == 0)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "its componentType is none of glTF's");
    return component;
}

static unsigned read_width(impi_GltfReader *reader, const impi_JsonValue *object)
{
    static const struct {
        const char *name;
        unsigned width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                 {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    const impi_JsonValue *type = impi_json_member(&reader->gltf->json, object, "type");
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (impi_json_is_text(&reader->gltf->json, type, types[i].name))
            return types[i].width;
    impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "its type is none of glTF's");
    return 1;
}

// `count` elements of `size` bytes from `key` on, which is a view with an offset into it; null when there is
// none. `stride` is that of the view, or `size`.
static const unsigned char *read_range(impi_GltfReader *reader, const impi_JsonValue *object, size_t count,
                                       size_t size, size_t *stride)
{
    const impi_Gltf *gltf = reader->gltf;
    uint32_t index = impi_gltf_index(reader, object, "bufferView", "bufferView", gltf->view_count);
    uint64_t offset = impi_gltf_integer(reader, object, "byteOffset", SIZE_MAX / 2, 0);
    *stride = size;
    if (reader->status != IMP_STATUS_OK || index == IMPI_GLTF_NONE)
        return NULL;
    const impi_GltfView *view = &gltf->views[index];
    if (view->stride > 0)
        *stride = view->stride;
    if (*stride < size) {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object,
                       "its elements have %zu bytes, but bufferView %u a stride of %zu", size,
                       (unsigned)index, *stride);
    } else if (offset > view->size || size > view->size - offset ||
               count - 1 > (view->size - offset - size) / *stride) {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object,
                       "it goes beyond bufferView %u, which has %zu bytes", (unsigned)index, view->size);
    } else {
        return view->bytes + offset;
    }
    return NULL;
}

INLINE double load_number(impi_GltfComponent component, const unsigned char *bytes)
{
    bool swap = IMPI_HOST_IS_BIG_ENDIAN;
    switch (component) {
    case IMPI_GLTF_BYTE:
        return (int8_t)*bytes;
    case IMPI_GLTF_UNSIGNED_BYTE:
        return *bytes;
    case IMPI_GLTF_SHORT:
        return (int16_t)impi_load_u16(bytes, swap);
    case IMPI_GLTF_UNSIGNED_SHORT:
        return impi_load_u16(bytes, swap);
    case IMPI_GLTF_UNSIGNED_INT:
        return impi_load_u32(bytes, swap);
    case IMPI_GLTF_FLOAT:
        return (double)impi_load_float(bytes, swap);
    }
    return 0;
}

static size_t sparse_index(const impi_GltfAccessor *accessor, size_t i)
{
    size_t size = component_size(accessor->sparse_component);
    return (size_t)load_number(accessor->sparse_component, accessor->sparse_indices + i * size);
}

static void read_sparse(impi_GltfReader *reader, const impi_JsonValue *object, impi_GltfAccessor *accessor)
{
    const impi_Json *json = &reader->gltf->json;
    const impi_JsonValue *sparse = impi_json_member(json, object, "sparse");
    if (!sparse)
        return;
    const impi_JsonValue *indices = impi_json_member(json, sparse, "indices"),
                         *values = impi_json_member(json, sparse, "values");
    size_t stride, count = (size_t)impi_gltf_integer(reader, sparse, "count", accessor->count, 0);
    if (!indices || !values || count == 0) {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, sparse,
                       "its sparse part lacks a count, indices or values");
        return;
    }
    accessor->sparse_component = read_component(reader, indices);
    if (accessor->sparse_component != IMPI_GLTF_UNSIGNED_BYTE &&
        accessor->sparse_component != IMPI_GLTF_UNSIGNED_SHORT &&
        accessor->sparse_component != IMPI_GLTF_UNSIGNED_INT) {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, sparse, "its sparse indices are no unsigned integers");
        return;
    }
    size_t index_size = component_size(accessor->sparse_component);
    size_t value_size = accessor->width * component_size(accessor->component);
    accessor->sparse_indices = read_range(reader, indices, count, index_size, &stride);
    bool tight = stride == index_size;
    accessor->sparse_values = read_range(reader, values, count, value_size, &stride);
    if (reader->status != IMP_STATUS_OK)
        return;
    if (!accessor->sparse_indices || !accessor->sparse_values || !tight || stride != value_size) {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, sparse,
                       "its sparse part needs tightly packed bufferViews");
        return;
    }
    for (size_t i = 0; i < count && (i % IMPI_GLTF_BLOCK || impi_gltf_goes_on(reader, 0)); ++i) {
        if (reader->status != IMP_STATUS_OK)
            return;
        if (sparse_index(accessor, i) >= accessor->count ||
            (i > 0 && sparse_index(accessor, i) <= sparse_index(accessor, i - 1)))
            impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, sparse,
                           "its sparse indices do not ascend below its count");
    }
    accessor->sparse_count = count;
}

static void read_accessor(impi_GltfReader *reader, const impi_JsonValue *object)
{
    impi_GltfAccessor *accessor = &reader->gltf->accessors[reader->number];
    const impi_JsonValue *normalized = impi_json_member(&reader->gltf->json, object, "normalized");
    accessor->component = read_component(reader, object);
    accessor->width = read_width(reader, object);
    accessor->normalized = normalized && normalized->type == IMPI_JSON_TRUE;
    accessor->count = (size_t)impi_gltf_integer(reader, object, "count", UINT32_MAX, 0);
    if (accessor->count == 0)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "its count is missing or 0");
    if (reader->status != IMP_STATUS_OK)
        return;
    size_t size = accessor->width * component_size(accessor->component);
    accessor->bytes = read_range(reader, object, accessor->count, size, &accessor->stride);
    if (reader->status == IMP_STATUS_OK)
        read_sparse(reader, object, accessor);
}

void impi_gltf_read_accessors(impi_GltfReader *reader)
{
    impi_Gltf *gltf = reader->gltf;
    gltf->accessors =
        impi_gltf_make_items(reader, "accessors", sizeof *gltf->accessors, &gltf->accessor_count);
    impi_gltf_read_items(reader, "accessors", "accessor", read_accessor);
}

// Inlined once per component, so that no number costs a decision.
INLINE void load_rows(impi_GltfComponent component, size_t size, const unsigned char *rows, size_t stride,
                      size_t count, size_t width, double *numbers)
{
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < width; ++k)
            numbers[i * width + k] = load_number(component, rows + i * stride + k * size);
}

// `count` elements, one every `stride` bytes.
static void read_rows(const impi_GltfAccessor *accessor, const unsigned char *rows, size_t stride,
                      size_t count, double *numbers)
{
    size_t width = accessor->width;
    if (stride == width * component_size(accessor->component)) {
        width *= count;
        count = 1;
    }
    switch (accessor->component) {
    case IMPI_GLTF_BYTE:
        load_rows(IMPI_GLTF_BYTE, 1, rows, stride, count, width, numbers);
        break;
    case IMPI_GLTF_UNSIGNED_BYTE:
        load_rows(IMPI_GLTF_UNSIGNED_BYTE, 1, rows, stride, count, width, numbers);
        break;
    case IMPI_GLTF_SHORT:
        load_rows(IMPI_GLTF_SHORT, 2, rows, stride, count, width, numbers);
        break;
    case IMPI_GLTF_UNSIGNED_SHORT:
        load_rows(IMPI_GLTF_UNSIGNED_SHORT, 2, rows, stride, count, width, numbers);
        break;
    case IMPI_GLTF_UNSIGNED_INT:
        load_rows(IMPI_GLTF_UNSIGNED_INT, 4, rows, stride, count, width, numbers);
        break;
    case IMPI_GLTF_FLOAT:
        load_rows(IMPI_GLTF_FLOAT, 4, rows, stride, count, width, numbers);
        break;
    }
}

// The sparse elements among those from `first` on take the places of what was read.
static void read_sparse_rows(const impi_GltfAccessor *accessor, size_t first, size_t count, double *numbers)
{
    size_t size = accessor->width * component_size(accessor->component);
    size_t low = 0, high = accessor->sparse_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sparse_index(accessor, middle) < first)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < accessor->sparse_count && sparse_index(accessor, i) < first + count; ++i)
        read_rows(accessor, accessor->sparse_values + i * size, size, 1,
                  numbers + (sparse_index(accessor, i) - first) * accessor->width);
}

// The fraction that a normalized integer stands for; the lowest of two's complement is -1 as its neighbour
// is.
static double fraction(double number, double largest)
{
    return number < -largest ? -1 : number / largest;
}

static void denormalize(impi_GltfComponent component, size_t count, double *numbers)
{
    double largest = component == IMPI_GLTF_BYTE             ? INT8_MAX
                     : component == IMPI_GLTF_UNSIGNED_BYTE  ? UINT8_MAX
                     : component == IMPI_GLTF_SHORT          ? INT16_MAX
                     : component == IMPI_GLTF_UNSIGNED_SHORT ? UINT16_MAX
                                                             : 0;
    for (size_t i = 0; largest > 0 && i < count; ++i)
        numbers[i] = fraction(numbers[i], largest);
}

void impi_gltf_accessor_read(const impi_GltfAccessor *accessor, size_t first, size_t count, double *numbers)
{
    size_t number_count = count * accessor->width;
    assert(first <= accessor->count && count <= accessor->count - first);
    if (accessor->bytes)
        read_rows(accessor, accessor->bytes + first * accessor->stride, accessor->stride, count, numbers);
    else
        memset(numbers, 0, number_count * sizeof *numbers);
    if (accessor->sparse_count > 0)
        read_sparse_rows(accessor, first, count, numbers);
    if (accessor->normalized)
        denormalize(accessor->component, number_count, numbers);
}

imp_Status impi_gltf_accessor_read_all(imp_Context *context, const impi_GltfAccessor *accessor,
                                       double *numbers)
{
    for (size_t first = 0, count; first < accessor->count; first += count) {
        count = accessor->count - first < READ_STEP ? accessor->count - first : READ_STEP;
        impi_gltf_accessor_read(accessor, first, count, numbers + first * accessor->width);
        if (!impi_watch_step(&context->watch, count * accessor->width))
            return impi_watch_status(context);
    }
    return IMP_STATUS_OK;
}

void impi_gltf_accessor_read_integers(const impi_GltfAccessor *accessor, size_t first, size_t count,
                                      uint32_t *integers)
{
    const unsigned char *rows = accessor->bytes ? accessor->bytes + first * accessor->stride : NULL;
    size_t stride = accessor->stride;
    if (rows && accessor->sparse_count == 0 && accessor->component == IMPI_GLTF_UNSIGNED_INT) {
        for (size_t i = 0; i < count; ++i)
            integers[i] = impi_load_u32(rows + i * stride, IMPI_HOST_IS_BIG_ENDIAN);
    } else if (rows && accessor->sparse_count == 0 && accessor->component == IMPI_GLTF_UNSIGNED_SHORT) {
        for (size_t i = 0; i < count; ++i)
            integers[i] = impi_load_u16(rows + i * stride, IMPI_HOST_IS_BIG_ENDIAN);
    } else {
        double numbers[IMPI_GLTF_BLOCK];
        for (size_t done = 0, block; done < count; done += block) {
            block = count - done < IMPI_GLTF_BLOCK ? count - done : IMPI_GLTF_BLOCK;
            impi_gltf_accessor_read(accessor, first + done, block, numbers);
            for (size_t i = 0; i < block; ++i)
                integers[done + i] = (uint32_t)numbers[i];
        }
    }
}

// An exponent of all ones is none of a finite number.
static bool bits_are_finite(const unsigned char *bytes, size_t count)
{
    const uint32_t exponent = 0x7F800000;
    uint32_t found = 0;
    for (size_t i = 0; i < count; ++i)
        found |= (impi_load_u32(bytes + i * sizeof found, IMPI_HOST_IS_BIG_ENDIAN) & exponent) == exponent;
    return !found;
}

bool impi_gltf_accessor_is_finite(const impi_GltfAccessor *accessor, size_t first, size_t count)
{
    if (accessor->bytes && accessor->sparse_count == 0 && accessor->stride == accessor->width * sizeof(float))
        return bits_are_finite(accessor->bytes + first * accessor->stride, count * accessor->width);
    int found = 0;
    double numbers[IMPI_GLTF_BLOCK];
    size_t block = IMPI_GLTF_BLOCK / accessor->width;
    for (size_t done = 0; done < count; done += block) {
        if (block > count - done)
            block = count - done;
        impi_gltf_accessor_read(accessor, first + done, block, numbers);
        for (size_t i = 0; i < block * accessor->width; ++i)
            found |= !(fabs(numbers[i]) <= DBL_MAX);
    }
    return !found;
}

size_t impi_gltf_accessor_read_block(const impi_GltfAccessor *accessor, size_t first,
                                     double numbers[IMPI_GLTF_BLOCK])
{
    size_t count = IMPI_GLTF_BLOCK / accessor->width;
    if (count > accessor->count - first)
        count = accessor->count - first;
    impi_gltf_accessor_read(accessor, first, count, numbers);
    return count;
}
