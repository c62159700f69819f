#include "playback/pose_columns.h"

#include "kit/nearest_name.h"

#include <string.h>

#define SHOWN  60 // bytes of a column's name, in errors
#define ABSENT SIZE_MAX

enum { CONFIGURATION, TIME, BODY, POSE, X, Y, Z, QW, QX, QY, QZ, M00, KNOWN_COUNT = M00 + 12 };

static const char *const known[KNOWN_COUNT] = {
    "configuration", "time", "body", "pose", "x",   "y",   "z",   "qw",  "qx",  "qy",  "qz", "m00",
    "m01",           "m02",  "m03",  "m10",  "m11", "m12", "m13", "m20", "m21", "m22", "m23"};

// Columns that come together.
typedef struct Set {
    int first, count;
} Set;

static const Set pose_set = {POSE, 1}, translation_set = {X, 3}, rotation_set = {QW, 4},
                 matrix_set = {M00, 12};

typedef struct Header {
    const impi_CsvReader *row;
    size_t places[KNOWN_COUNT]; // the column of each name, or ABSENT
} Header;

// Fail at the line of the header.
#define REFUSE(header, ...)                                                                                  \
    impi_fail_at((header)->row->context, IMP_STATUS_BAD_FILE, impi_csv_place((header)->row), __VA_ARGS__)

static imp_Status find_places(Header *header)
{
    for (int i = 0; i < KNOWN_COUNT; ++i)
        header->places[i] = ABSENT;
    for (size_t column = 0; column < header->row->fields.count; ++column) {
        const char *name = header->row->fields.data[column];
        int i = 0;
        while (i < KNOWN_COUNT && strcmp(name, known[i]) != 0)
            ++i;
        const char *nearest = i == KNOWN_COUNT ? impi_nearest_name(name, known, KNOWN_COUNT) : NULL;
        if (nearest)
            return REFUSE(header,
                          "the first row names the columns, and there is no '%.*s'; did you mean '%s'?",
                          SHOWN, name, nearest);
        if (i == KNOWN_COUNT)
            return REFUSE(header,
                          "the first row names the columns, and there is no '%.*s'; expected configuration "
                          "or time, body, and x, y, z, qw, qx, qy, qz, or pose, or m00 to m23",
                          SHOWN, name);
        if (header->places[i] != ABSENT)
            return REFUSE(header, "the column '%s' is there twice", name);
        header->places[i] = column;
    }
    return IMP_STATUS_OK;
}

static bool has(const Header *header, Set set)
{
    bool found = false;
    for (int i = 0; i < set.count; ++i)
        found = found || header->places[set.first + i] != ABSENT;
    return found;
}

// A set that is there must be there as a whole.
static imp_Status check_set(const Header *header, Set set)
{
    const char *present = NULL;
    for (int i = set.first; i < set.first + set.count; ++i)
        present = !present && header->places[i] != ABSENT ? known[i] : present;
    for (int i = set.first; present && i < set.first + set.count; ++i)
        if (header->places[i] == ABSENT)
            return REFUSE(header, "the column '%s' is missing beside '%s'", known[i], present);
    return IMP_STATUS_OK;
}

// Two sets that exclude each other, by the names of their first columns.
static imp_Status refuse_both(const Header *header, Set a, Set b)
{
    return REFUSE(header, "the columns '%s' and '%s' exclude each other", known[a.first], known[b.first]);
}

static imp_Status check_pose(const Header *header)
{
    bool has_pose = has(header, pose_set), has_matrix = has(header, matrix_set);
    bool has_translation = has(header, translation_set), has_rotation = has(header, rotation_set);
    const Set sets[] = {translation_set, rotation_set, matrix_set};
    if (has_pose && (has_translation || has_rotation))
        return refuse_both(header, pose_set, has_translation ? translation_set : rotation_set);
    if (has_matrix && (has_translation || has_rotation))
        return refuse_both(header, has_translation ? translation_set : rotation_set, matrix_set);
    if (has_pose && has_matrix)
        return refuse_both(header, pose_set, matrix_set);
    if (has_rotation && !has_translation)
        return REFUSE(header, "the column 'x' is missing beside 'qw'");
    if (!has_pose && !has_matrix && !has_translation)
        return REFUSE(header, "there is no pose: expected the columns x, y, z, or pose, or m00 to m23");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i) {
        imp_Status status = check_set(header, sets[i]);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return IMP_STATUS_OK;
}

static imp_Status check_keys(const Header *header)
{
    bool has_configuration = header->places[CONFIGURATION] != ABSENT,
         has_time = header->places[TIME] != ABSENT;
    if (has_configuration && has_time)
        return REFUSE(header, "the columns 'configuration' and 'time' exclude each other");
    if (!has_configuration && !has_time)
        return REFUSE(header, "the column 'configuration' or 'time' is missing");
    if (header->places[BODY] == ABSENT)
        return REFUSE(header, "the column 'body' is missing");
    return IMP_STATUS_OK;
}

imp_Status impi_pose_columns_read(const impi_CsvReader *row, impi_PoseColumns *columns)
{
    Header header = {.row = row};
    imp_Status status = find_places(&header);
    if (status == IMP_STATUS_OK)
        status = check_keys(&header);
    if (status == IMP_STATUS_OK)
        status = check_pose(&header);
    if (status != IMP_STATUS_OK)
        return status;
    bool has_pose = has(&header, pose_set), has_matrix = has(&header, matrix_set);
    int first = has_pose ? POSE : has_matrix ? M00 : X;
    *columns = (impi_PoseColumns){
        .column_count = row->fields.count,
        .has_times = header.places[TIME] != ABSENT,
        .body = header.places[BODY],
        .number_count = has_pose                     ? 0
                        : has_matrix                 ? 12
                        : has(&header, rotation_set) ? 7
                                                     : 3,
    };
    columns->key = header.places[columns->has_times ? TIME : CONFIGURATION];
    columns->numbers[0] = header.places[first];
    for (size_t i = 1; i < columns->number_count; ++i)
        columns->numbers[i] = header.places[(size_t)first + i];
    return IMP_STATUS_OK;
}

const char *impi_pose_columns_name(const impi_PoseColumns *columns, size_t column)
{
    int first = columns->number_count == 12 ? M00 : X;
    for (size_t i = 0; i < columns->number_count; ++i)
        if (columns->numbers[i] == column)
            return known[(size_t)first + i];
    return known[TIME];
}
