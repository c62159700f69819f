#include "kit/nearest_name.h"

#include <string.h>

#define MAX_WORD 64 // longer words are like nothing

// Levenshtein's distance: how many letters to insert, drop or change.
static size_t edit_distance(const char *a, size_t length_a, const char *b, size_t length_b)
{
    size_t row[MAX_WORD + 1];
    for (size_t j = 0; j <= length_b; ++j)
        row[j] = j;
    for (size_t i = 1; i <= length_a; ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length_b; ++j) {
            size_t changed = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            size_t dropped = row[j] + 1, inserted = row[j - 1] + 1;
            row[j] = dropped < inserted ? dropped : inserted;
            row[j] = changed < row[j] ? changed : row[j];
        }
    }
    return row[length_b];
}

const char *impi_nearest_name(const char *word, const char *const *names, size_t name_count)
{
    const char *nearest = NULL;
    size_t length = strlen(word), least = length / 3 + 2; // more changes than that make another word
    for (size_t i = 0; i < name_count && length <= MAX_WORD; ++i) {
        size_t name_length = strlen(names[i]), distance = least;
        size_t more = name_length > length ? name_length - length : length - name_length;
        if (length >= 2 && strncmp(word, names[i], length) == 0)
            distance = 1;                                 // the beginning of a name means it
        else if (more < least && name_length <= MAX_WORD) // it takes at least so many changes
            distance = edit_distance(word, length, names[i], name_length);
        size_t longer = name_length > length ? name_length : length;
        if (distance < least && (distance == 1 ? longer > 1 : 2 * distance <= longer)) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
