/// Bodies in what is printed: numbers with names beside them, in sentences, CSV and JSON.
#ifndef IMPINGE_APPS_BODY_LABELS_H
#define IMPINGE_APPS_BODY_LABELS_H

#include "kit/json_writer.h"
#include "playback/history.h"
#include "playback/motion.h"

#include <impinge/world_sweep.h>

/// Within sentences: "wall_3 (body 3)".
void body_put_name(const impi_Motion *motion, size_t body, impi_Text *output);

/// A field of CSV that comes from a file: its bytes, except on a terminal, where it is as it is shown.
void label_put_csv(const char *name, impi_Text *output);

/// The last columns of CSV about pairs of bodies, with the comma before them. Names are the bytes of the
/// files, except on a terminal, where they are as they are shown.
#define PAIR_NAME_COLUMNS ",name_a,name_b"
void pair_put_csv_names(const impi_Motion *motion, uint32_t body_a, uint32_t body_b, impi_Text *output);

/// The entries "body_a", "body_b", "name_a" and "name_b" of an object.
void pair_put_json(const impi_Motion *motion, uint32_t body_a, uint32_t body_b, impi_JsonWriter *json);

/// The entries "time", "certain" and "path" of two bodies that meet on their way.
void meeting_put_json(double time, bool is_certain, imp_PathKind path, impi_JsonWriter *json);

/// Bodies in the boxes of open ones, of which nobody can tell whether they are inside: a sentence for each
/// after an empty line; a remark on one, about a file, where the format has no room for it; an array of JSON.
void open_containers_put(const impi_Motion *motion, const impi_OpenContainer *found, size_t count,
                         impi_Text *output);
void open_container_remark(const impi_Motion *motion, const impi_OpenContainer *found, const char *file);
void open_containers_put_json(const impi_Motion *motion, const impi_OpenContainer *found, size_t count,
                              impi_JsonWriter *json);

#endif
