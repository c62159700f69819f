// Each source has forms, from short to long:
//
//     file left/arm.stl               part hand of the file left/arm.glb
//     0  arm                          0  hand
//     1  arm.stl                      1  arm/hand
//     2  left/arm                     2  arm.glb/hand
//     3  left/arm.stl                 3  left/arm/hand
//                                     4  left/arm.glb/hand
//
// Sources with the same form 0 are a group. A source is named by its first form that no other source of its
// group has as well. All forms with the same number are made and sorted at once: n log n comparisons for each
// of a few numbers.

#include "playback/source_names.h"

#include "base/context.h"

#include <stdlib.h>
#include <string.h>

#define FORM_LIMIT 16 // where seven folders tell nothing apart, the whole path is the name
#define WHOLE      UINT32_MAX
#define UNDECIDED  (UINT32_MAX - 1)
#define AS_DECIDED (UINT32_MAX - 2)

const char *impi_source_file(const impi_BodySource *source)
{
    const char *slash = strrchr(source->path, '/');
    return slash && slash[1] ? slash + 1 : source->path;
}

size_t impi_source_stem_length(const impi_BodySource *source)
{
    const char *file = impi_source_file(source), *point = strrchr(file, '.');
    return point && point > file && !strchr(point, '/') ? (size_t)(point - file) : strlen(file);
}

static bool is_same_source(const impi_BodySource *a, const impi_BodySource *b)
{
    if (strcmp(a->path, b->path) != 0 || !a->part != !b->part)
        return false;
    return !a->part || strcmp(a->part, b->part) == 0;
}

// Append the form with this number, or the longest where there are fewer.
static void put_form(impi_Text *text, const impi_BodySource *source, uint32_t form)
{
    if (source->part && form == 0) {
        impi_text_put(text, source->part);
        impi_text_append(text, "", 1);
        return;
    }
    uint32_t number = source->part && form != WHOLE ? form - 1 : form, folders = number / 2;
    const char *file = impi_source_file(source), *begin = file;
    for (; folders > 0 && begin > source->path; --folders)
        for (--begin; begin > source->path && begin[-1] != '/';)
            --begin;
    bool has_extension = number % 2 == 1 || folders > 0;
    size_t file_length = has_extension ? strlen(file) : impi_source_stem_length(source);
    impi_text_append(text, begin, (size_t)(file - begin) + file_length);
    if (source->part) {
        impi_text_append(text, "/", 1);
        impi_text_put(text, source->part);
    }
    impi_text_append(text, "", 1);
}

// A source in the order of its group and form.
typedef struct Item {
    const char *text;
    uint32_t group, source;
} Item;

typedef struct Naming {
    imp_Context *context;
    const impi_BodySource *sources;
    size_t count;
    uint32_t *forms; // by which each is named
    Item *items;
    size_t item_count; // those whose forms are compared
    impi_Text text;    // of the items
} Naming;

static int compare_items(const void *left, const void *right)
{
    const Item *a = left, *b = right;
    int order = (a->group > b->group) - (a->group < b->group);
    if (order == 0)
        order = strcmp(a->text, b->text);
    return order ? order : (a->source > b->source) - (a->source < b->source);
}

// Write the items' forms of this number, or those they are named by, and sort them.
static imp_Status sort_items(Naming *naming, uint32_t form)
{
    naming->text.bytes.count = 0;
    for (size_t i = 0; i < naming->item_count; ++i) {
        uint32_t source = naming->items[i].source;
        put_form(&naming->text, &naming->sources[source], form == AS_DECIDED ? naming->forms[source] : form);
    }
    if (naming->text.out_of_memory)
        return impi_fail_out_of_memory(naming->context);
    const char *text = naming->text.bytes.data;
    for (size_t i = 0; i < naming->item_count; ++i, text += strlen(text) + 1)
        naming->items[i].text = text;
    if (naming->item_count > 0)
        qsort(naming->items, naming->item_count, sizeof *naming->items, compare_items);
    return IMP_STATUS_OK;
}

// Where the items end that have the same form in the same group as the one at `first`, and whether all of
// them are one source.
static size_t find_run_end(const Naming *naming, size_t first, bool *is_one)
{
    const Item *items = naming->items;
    const impi_BodySource *source = &naming->sources[items[first].source];
    size_t end = first + 1;
    *is_one = true;
    for (; end < naming->item_count && items[end].group == items[first].group &&
           strcmp(items[end].text, items[first].text) == 0;
         ++end)
        *is_one = *is_one && is_same_source(&naming->sources[items[end].source], source);
    return end;
}

// Name those that this form tells apart. No body has an empty name.
static void decide(Naming *naming, uint32_t form)
{
    bool is_one;
    for (size_t first = 0, end; first < naming->item_count; first = end) {
        end = find_run_end(naming, first, &is_one);
        for (size_t i = first; i < end; ++i) {
            uint32_t *decided = &naming->forms[naming->items[i].source];
            if (form == 0)
                naming->items[i].group = (uint32_t)first;
            if (*decided == UNDECIDED && is_one && naming->items[i].text[0])
                *decided = form;
        }
    }
}

// Drop the groups in which every source has a name.
static void drop_decided_groups(Naming *naming)
{
    size_t kept = 0;
    for (size_t first = 0, end; first < naming->item_count; first = end) {
        bool is_decided = true;
        for (end = first; end < naming->item_count && naming->items[end].group == naming->items[first].group;
             ++end)
            is_decided = is_decided && naming->forms[naming->items[end].source] != UNDECIDED;
        for (size_t i = first; i < end && !is_decided; ++i)
            naming->items[kept++] = naming->items[i];
    }
    naming->item_count = kept;
}

static void take_all(Naming *naming)
{
    for (size_t i = 0; i < naming->count; ++i)
        naming->items[i] = (Item){.source = (uint32_t)i};
    naming->item_count = naming->count;
}

static imp_Status decide_groups(Naming *naming)
{
    take_all(naming);
    for (size_t i = 0; i < naming->count; ++i)
        naming->forms[i] = UNDECIDED;
    for (uint32_t form = 0; form < FORM_LIMIT && naming->item_count > 0; ++form) {
        imp_Status status = sort_items(naming, form);
        if (status != IMP_STATUS_OK)
            return status;
        decide(naming, form);
        drop_decided_groups(naming);
    }
    for (size_t i = 0; i < naming->count; ++i)
        if (naming->forms[i] == UNDECIDED)
            naming->forms[i] = WHOLE;
    return IMP_STATUS_OK;
}

// The form 0 of one source can be a longer form of another: x.ply.stl and x.ply beside x.stl. Those are named
// by their whole paths; if that makes a name which another one has, all are.
static imp_Status tell_groups_apart(Naming *naming)
{
    for (int attempt = 0; attempt < 2; ++attempt) {
        bool is_one, are_apart = true;
        take_all(naming);
        imp_Status status = sort_items(naming, AS_DECIDED);
        if (status != IMP_STATUS_OK)
            return status;
        for (size_t first = 0, end; first < naming->item_count; first = end) {
            end = find_run_end(naming, first, &is_one);
            are_apart = are_apart && is_one;
            for (size_t i = first; i < end && !is_one; ++i)
                naming->forms[naming->items[i].source] = WHOLE;
        }
        if (are_apart)
            return IMP_STATUS_OK;
        for (size_t i = 0; i < naming->count && attempt == 1; ++i)
            naming->forms[i] = WHOLE;
    }
    return IMP_STATUS_OK;
}

static imp_Status put_names(Naming *naming, impi_Text *text)
{
    imp_Status status = decide_groups(naming);
    if (status == IMP_STATUS_OK)
        status = tell_groups_apart(naming);
    for (size_t i = 0; i < naming->count && status == IMP_STATUS_OK; ++i)
        put_form(text, &naming->sources[i], naming->forms[i]);
    return status == IMP_STATUS_OK && text->out_of_memory ? impi_fail_out_of_memory(naming->context) : status;
}

imp_Status impi_source_names_put(imp_Context *context, const impi_BodySource *sources, size_t count,
                                 impi_Text *text)
{
    const imp_Allocator *allocator = &context->allocator;
    Naming naming = {.context = context, .sources = sources, .count = count};
    if (count == 0)
        return IMP_STATUS_OK;
    impi_text_init(&naming.text, allocator);
    naming.forms = impi_allocate_array(allocator, count, sizeof *naming.forms);
    naming.items = impi_allocate_array(allocator, count, sizeof *naming.items);
    imp_Status status =
        naming.forms && naming.items ? put_names(&naming, text) : impi_fail_out_of_memory(context);
    impi_text_free(&naming.text);
    impi_release(allocator, naming.items, count * sizeof *naming.items);
    impi_release(allocator, naming.forms, count * sizeof *naming.forms);
    return status;
}
