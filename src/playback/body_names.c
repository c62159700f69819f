#include "playback/body_names.h"

#include "base/context.h"
#include "io/text_buffer.h"
#include "kit/nearest_name.h"
#include "playback/name_pattern.h"
#include "playback/source_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_KEYS   5  // of one body
#define MAX_LISTED 3  // bodies, in errors
#define SHOWN      60 // bytes of a name or word, in errors

// Something that a body can be found by.
typedef struct Key {
    const char *text;
    uint32_t body;
    bool is_name;
} Key;

struct impi_BodyNames {
    imp_Context *context;
    size_t count;
    const char **names;
    size_t key_count, key_capacity;
    Key *keys;      // sorted by text; of the same text names first, then by body
    impi_Text text; // what names and keys point to
};

// ---- making

static int compare_keys(const void *left, const void *right)
{
    const Key *a = left, *b = right;
    int order = strcmp(a->text, b->text);
    if (order == 0)
        order = (int)b->is_name - (int)a->is_name;
    return order ? order : (a->body > b->body) - (a->body < b->body);
}

// One text is one key of a body.
static void add_key(impi_BodyNames *names, uint32_t body, const char *text)
{
    size_t first = names->key_count;
    while (first > 0 && names->keys[first - 1].body == body)
        if (strcmp(names->keys[--first].text, text) == 0)
            return;
    bool is_name = first == names->key_count;
    names->keys[names->key_count++] = (Key){text, body, is_name};
}

static imp_Status check_count(imp_Context *context, size_t count)
{
    if (count <= UINT32_MAX)
        return IMP_STATUS_OK;
    return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "%zu bodies are more than can be counted",
                     count);
}

// Begin with room for that many bodies and keys of each; null when out of memory.
static impi_BodyNames *begin(imp_Context *context, size_t count, size_t key_count)
{
    const imp_Allocator *allocator = &context->allocator;
    impi_BodyNames *made = impi_allocate(allocator, sizeof *made);
    if (!made)
        return NULL;
    *made = (impi_BodyNames){.context = context, .count = count, .key_capacity = count * key_count};
    impi_text_init(&made->text, allocator);
    made->names = impi_allocate_array(allocator, count, sizeof *made->names);
    made->keys = impi_allocate_array(allocator, made->key_capacity, sizeof *made->keys);
    if (count == 0 || (made->names && made->keys))
        return made;
    impi_body_names_destroy(made);
    return NULL;
}

static void put_key(impi_Text *text, const char *key, size_t length)
{
    impi_text_append(text, key, length);
    impi_text_append(text, "", 1);
}

static const char *past(const char *text)
{
    return text + strlen(text) + 1;
}

imp_Status impi_body_names_adopt(imp_Context *context, const char *const *own_names, size_t count,
                                 impi_BodyNames **names)
{
    imp_Status status = check_count(context, count);
    if (status != IMP_STATUS_OK)
        return status;
    impi_BodyNames *made = begin(context, count, 1);
    if (!made)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < count; ++i)
        put_key(&made->text, own_names[i], strlen(own_names[i]));
    if (made->text.out_of_memory) {
        impi_body_names_destroy(made);
        return impi_fail_out_of_memory(context);
    }
    const char *text = made->text.bytes.data;
    for (size_t i = 0; i < count; ++i, text = past(text)) {
        made->names[i] = text;
        add_key(made, (uint32_t)i, text);
    }
    if (count > 0)
        qsort(made->keys, made->key_count, sizeof *made->keys, compare_keys);
    *names = made;
    return IMP_STATUS_OK;
}

// Names stand in the text already. Behind them comes what else bodies are found by, in this order: path, file
// name without extension, part.
static imp_Status add_sources(impi_BodyNames *names, const impi_BodySource *sources)
{
    size_t name_size = names->text.bytes.count;
    for (size_t i = 0; i < names->count; ++i) {
        const char *file = impi_source_file(&sources[i]), *part = sources[i].part;
        put_key(&names->text, sources[i].path, strlen(sources[i].path));
        put_key(&names->text, file, impi_source_stem_length(&sources[i]));
        put_key(&names->text, part ? part : "", part ? strlen(part) : 0);
    }
    if (names->text.out_of_memory)
        return impi_fail_out_of_memory(names->context);
    if (names->count == 0)
        return IMP_STATUS_OK;
    const char *name = names->text.bytes.data, *text = name + name_size;
    for (size_t i = 0; i < names->count; ++i, name = past(name)) {
        const char *path = text, *stem = past(path), *part = past(stem);
        text = past(part);
        names->names[i] = name;
        add_key(names, (uint32_t)i, name);
        add_key(names, (uint32_t)i, path + (impi_source_file(&sources[i]) - sources[i].path));
        add_key(names, (uint32_t)i, stem);
        add_key(names, (uint32_t)i, path);
        if (sources[i].part)
            add_key(names, (uint32_t)i, part);
    }
    return IMP_STATUS_OK;
}

imp_Status impi_body_names_create(imp_Context *context, const impi_BodySource *sources, size_t count,
                                  impi_BodyNames **names)
{
    imp_Status status = check_count(context, count);
    if (status != IMP_STATUS_OK)
        return status;
    impi_BodyNames *made = begin(context, count, MAX_KEYS);
    if (!made)
        return impi_fail_out_of_memory(context);
    status = impi_source_names_put(context, sources, count, &made->text);
    if (status == IMP_STATUS_OK)
        status = add_sources(made, sources);
    if (status != IMP_STATUS_OK) {
        impi_body_names_destroy(made);
        return status;
    }
    if (count > 0)
        qsort(made->keys, made->key_count, sizeof *made->keys, compare_keys);
    *names = made;
    return IMP_STATUS_OK;
}

void impi_body_names_destroy(impi_BodyNames *names)
{
    if (!names)
        return;
    const imp_Allocator *allocator = &names->context->allocator;
    impi_release(allocator, names->names, names->count * sizeof *names->names);
    impi_release(allocator, names->keys, names->key_capacity * sizeof *names->keys);
    impi_text_free(&names->text);
    impi_release(allocator, names, sizeof *names);
}

size_t impi_body_names_count(const impi_BodyNames *names)
{
    return names->count;
}

const char *impi_body_name(const impi_BodyNames *names, size_t body)
{
    return names->names[body];
}

// ---- finding

void impi_body_list_free(imp_Context *context, impi_BodyList *list)
{
    impi_array_free(&context->allocator, list, sizeof *list->data);
}

// The first key that does not sort before the first `length` bytes of the text.
static size_t find_key(const impi_BodyNames *names, const char *text, size_t length)
{
    size_t low = 0, high = names->key_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strncmp(names->keys[middle].text, text, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

typedef struct KeyRange {
    size_t first, end;
} KeyRange;

// Those that are `text`: names, if there are any.
static KeyRange find_exact(const impi_BodyNames *names, const char *text)
{
    KeyRange range = {find_key(names, text, strlen(text) + 1), 0};
    for (range.end = range.first; range.end < names->key_count; ++range.end) {
        const Key *key = &names->keys[range.end];
        if (strcmp(key->text, text) != 0 || key->is_name != names->keys[range.first].is_name)
            break;
    }
    return range;
}

// False when it is no number of a body.
static bool parse_number(const impi_BodyNames *names, const char *text, uint32_t *body)
{
    uint64_t number = 0;
    for (const char *c = text; *c; ++c) {
        if (*c < '0' || *c > '9')
            return false;
        number = number < UINT32_MAX ? 10 * number + (uint64_t)(*c - '0') : number;
    }
    *body = (uint32_t)number;
    return *text && number < names->count;
}

static int compare_bodies(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static bool add_body(imp_Context *context, impi_BodyList *list, uint32_t body)
{
    if (!impi_array_reserve(&context->allocator, list, sizeof *list->data, list->count + 1))
        return false;
    list->data[list->count++] = body;
    return true;
}

// A body whose path and name fit was listed for each of them.
static void sort_bodies(impi_BodyList *list)
{
    size_t kept = 0;
    if (list->count > 0)
        qsort(list->data, list->count, sizeof *list->data, compare_bodies);
    for (size_t i = 0; i < list->count; ++i)
        if (kept == 0 || list->data[kept - 1] != list->data[i])
            list->data[kept++] = list->data[i];
    list->count = kept;
}

static imp_Status find_pattern(imp_Context *context, const impi_BodyNames *names, const char *pattern,
                               impi_BodyList *list)
{
    size_t length = impi_pattern_prefix_length(pattern);
    for (size_t i = find_key(names, pattern, length);
         i < names->key_count && strncmp(names->keys[i].text, pattern, length) == 0; ++i)
        if (impi_name_matches(pattern, names->keys[i].text) && !add_body(context, list, names->keys[i].body))
            return impi_fail_out_of_memory(context);
    sort_bodies(list);
    return IMP_STATUS_OK;
}

static imp_Status refuse_several(imp_Context *context, const impi_BodyNames *names, impi_Place place,
                                 const char *text, const impi_BodyList *list)
{
    char listed[MAX_LISTED * (SHOWN + 24)] = "";
    size_t shown = list->count < MAX_LISTED ? list->count : MAX_LISTED;
    for (size_t i = 0, used = 0; i < shown; ++i) {
        const char *before = i == 0 ? "" : i + 1 == list->count ? " and " : ", ";
        used += (size_t)snprintf(listed + used, sizeof listed - used, "%s%u (%.*s)", before, list->data[i],
                                 SHOWN, names->names[list->data[i]]);
    }
    imp_Status status = place.line != IMP_NOWHERE ? IMP_STATUS_BAD_FILE : IMP_STATUS_BAD_INDEX;
    place.index = list->data[0];
    if (shown < list->count)
        return impi_fail_at(context, status, place, "'%.*s' fits %zu bodies: %s and %zu more", SHOWN, text,
                            list->count, listed, list->count - shown);
    return impi_fail_at(context, status, place, "'%.*s' fits %zu bodies: %s", SHOWN, text, list->count,
                        listed);
}

imp_Status impi_body_names_find(imp_Context *context, const impi_BodyNames *names, impi_Place place,
                                const char *text, impi_BodyList *list)
{
    KeyRange range = find_exact(names, text);
    bool is_named = range.first < range.end && names->keys[range.first].is_name;
    uint32_t number = 0;
    bool is_number = parse_number(names, text, &number);
    list->count = 0;
    if (is_number && !add_body(context, list, number))
        return impi_fail_out_of_memory(context);
    if (is_number && !is_named)
        return IMP_STATUS_OK;
    if (range.first == range.end && impi_is_pattern(text))
        return find_pattern(context, names, text, list);
    for (size_t i = range.first; i < range.end; ++i)
        if (!add_body(context, list, names->keys[i].body))
            return impi_fail_out_of_memory(context);
    sort_bodies(list);
    return list->count > 1 ? refuse_several(context, names, place, text, list) : IMP_STATUS_OK;
}

static imp_Status refuse_none(imp_Context *context, const impi_BodyNames *names, impi_Place place,
                              const char *text)
{
    const char *suggestion = impi_body_names_suggest(names, text);
    imp_Status status = place.line != IMP_NOWHERE ? IMP_STATUS_BAD_FILE : IMP_STATUS_BAD_INDEX;
    bool is_number = *text && text[strspn(text, "0123456789")] == 0;
    if (is_number && names->count > 0)
        return impi_fail_at(context, status, place,
                            "there is no body %.*s; the last one is %zu, counting from 0", SHOWN, text,
                            names->count - 1);
    if (suggestion)
        return impi_fail_at(context, status, place, "no body is named '%.*s'; did you mean '%.*s'?", SHOWN,
                            text, SHOWN, suggestion);
    return impi_fail_at(context, status, place, "no body is named '%.*s'", SHOWN, text);
}

imp_Status impi_body_names_find_one(imp_Context *context, const impi_BodyNames *names, impi_Place place,
                                    const char *text, uint32_t *body)
{
    impi_BodyList list = {0};
    imp_Status status = impi_body_names_find(context, names, place, text, &list);
    if (status == IMP_STATUS_OK && list.count == 0)
        status = refuse_none(context, names, place, text);
    else if (status == IMP_STATUS_OK && list.count > 1)
        status = refuse_several(context, names, place, text, &list);
    else if (status == IMP_STATUS_OK)
        *body = list.data[0];
    impi_body_list_free(context, &list);
    return status;
}

const char *impi_body_names_suggest(const impi_BodyNames *names, const char *text)
{
    return impi_nearest_name(text, names->names, names->count);
}
