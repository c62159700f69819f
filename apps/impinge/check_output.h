/// What `impinge check` prints: which bodies touch, and parts that other lists of it have in common.
#ifndef IMPINGE_APPS_CHECK_OUTPUT_H
#define IMPINGE_APPS_CHECK_OUTPUT_H

#include "body_labels.h"
#include "body_table.h"
#include "check_listing.h"
#include "check_scene.h"

#define CHECK_SCHEMA_VERSION 1

/// Remarks go to standard error where the format has no room for them.
void check_put(const CheckScene *scene, const CheckListing *listing, impi_Text *output);

/// The bodies with their names, while the scene stays as it is.
impi_Motion check_motion(const CheckScene *scene);

/// Begin the table of bodies.
void check_begin_bodies(const impi_Motion *motion, BodyTable *bodies, impi_Text *output);

/// Bodies in open ones, each in a line of its own after an empty one; nothing where there are none.
void check_put_containers(const CheckScene *scene, impi_Text *output);

/// The same for CSV, which has no room for it: as remarks.
void check_remark_on_containers(const CheckScene *scene);

/// That bodies are hulls, where they are: a line.
void check_put_hulls(const CheckScene *scene, impi_Text *output);

/// A pose as an array of JSON: tx, ty, tz, qw, qx, qy, qz.
void check_put_json_pose(impi_JsonWriter *json, const imp_Pose *pose);

/// Keys of JSON: "files" and "convex", "pairs" (without counts), and "open_containers".
void check_put_json_files(impi_JsonWriter *json, const CheckScene *scene);
void check_put_json_pairs(impi_JsonWriter *json, const CheckScene *scene);
void check_put_json_containers(impi_JsonWriter *json, const CheckScene *scene);

#endif
