/// Names of bodies, and the bodies that people mean by what they write.
#ifndef IMPINGE_PLAYBACK_BODY_NAMES_H
#define IMPINGE_PLAYBACK_BODY_NAMES_H

#include "base/array.h"
#include "base/status.h"

/// What a body comes from: a file, and the node or solid in it.
typedef struct impi_BodySource {
    const char *path;
    const char *part; // null: the file is the body
} impi_BodySource;

/// Immutable: any thread may ask.
typedef struct impi_BodyNames impi_BodyNames;

/// Name bodies after their sources: "wall_3" is the file parts/wall_3.stl, a part has its own name. Where
/// different sources would get the same name, as much more is in it as tells them apart: the extension
/// ("ring.ply"), then folders from the end of the path ("left/arm"); of parts the file first ("robot/link1").
/// The same source given twice has the same name. Nothing of the sources is kept.
/// IMP_STATUS_TOO_LARGE for more bodies than 32-bit numbers count.
imp_Status impi_body_names_create(imp_Context *context, const impi_BodySource *sources, size_t count,
                                  impi_BodyNames **names);

/// For bodies that have names already, which may be the same for several.
imp_Status impi_body_names_adopt(imp_Context *context, const char *const *own_names, size_t count,
                                 impi_BodyNames **names);

/// Null is fine.
void impi_body_names_destroy(impi_BodyNames *names);

size_t impi_body_names_count(const impi_BodyNames *names);

/// `body` must be below the count. Owned by `names`.
const char *impi_body_name(const impi_BodyNames *names, size_t body);

/// Bodies by number, each once, ascending.
typedef IMPI_ARRAY(uint32_t) impi_BodyList;

void impi_body_list_free(imp_Context *context, impi_BodyList *list);

/// The bodies that `text` means; the list is emptied first, and empty when there are none. In this order:
/// the body that is named so, or, if all are digits, that has this number, counting from 0; the body whose
/// file name, file name without extension, path or part is this; if it is a pattern, all bodies of which one
/// of these fits it.
/// What is no pattern and fits several bodies is an error that tells them, at `place`: IMP_STATUS_BAD_FILE
/// if that is a line of a file, otherwise IMP_STATUS_BAD_INDEX.
imp_Status impi_body_names_find(imp_Context *context, const impi_BodyNames *names, impi_Place place,
                                const char *text, impi_BodyList *list);

/// The same where one body is expected: none, or several that fit a pattern, are errors as well. The one for
/// none suggests a name.
imp_Status impi_body_names_find_one(imp_Context *context, const impi_BodyNames *names, impi_Place place,
                                    const char *text, uint32_t *body);

/// The name of a body that is most like `text`, null when none is. Looks at all names.
const char *impi_body_names_suggest(const impi_BodyNames *names, const char *text);

#endif
