/// Short names that tell the sources of bodies apart. For body_names.c.
#ifndef IMPINGE_PLAYBACK_SOURCE_NAMES_H
#define IMPINGE_PLAYBACK_SOURCE_NAMES_H

#include "io/text_buffer.h"
#include "playback/body_names.h"

/// The name of the file in the source's path, and how much of it stands before its extension. A name that
/// begins with its only point has no extension.
const char *impi_source_file(const impi_BodySource *source);
size_t impi_source_stem_length(const impi_BodySource *source);

/// Append the names, each ended by a zero, in the order of the sources, by the rules of
/// impi_body_names_create.
imp_Status impi_source_names_put(imp_Context *context, const impi_BodySource *sources, size_t count,
                                 impi_Text *text);

#endif
