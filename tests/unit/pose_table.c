#define _XOPEN_SOURCE 700 // mkdtemp

#include "playback/pose_motion.h"

#include "failing_allocator.h"
#include "mesh_files.h"
#include "playback/scene_motion.h"

#include <math.h>

#define BODIES 4

static const char *const body_names[BODIES] = {"base", "link1", "link2", "hand, left"};
static const imp_Pose base_poses[BODIES] = {{{9, 9, 9}, {1, 0, 0, 0}},
                                            {{1, 0, 0}, {1, 0, 0, 0}},
                                            {{2, 0, 0}, {1, 0, 0, 0}},
                                            {{3, 0, 0}, {1, 0, 0, 0}}};

typedef struct Fixture {
    imp_Context *context;
    impi_BodyNames *names;
    impi_PoseTable *table;
    imp_Status status;
} Fixture;

static Fixture read_bytes(const char *bytes, size_t size)
{
    Fixture f = {.context = new_context()};
    CHECK_INT(impi_body_names_adopt(f.context, body_names, BODIES, &f.names), IMP_STATUS_OK);
    f.status = impi_pose_table_read(f.context, bytes, size, "poses.csv", f.names, base_poses, &f.table);
    return f;
}

static Fixture read_table(const char *text)
{
    Fixture f = read_bytes(text, strlen(text));
    if (!CHECK_INT(f.status, IMP_STATUS_OK))
        printf("  %s\n", imp_context_get_error(f.context)->message);
    return f;
}

static void end(Fixture *f)
{
    impi_pose_table_destroy(f->context, f->table);
    impi_body_names_destroy(f->names);
    imp_context_destroy(f->context);
}

static double x_of(const Fixture *f, size_t configuration, size_t body)
{
    const imp_Pose *pose = impi_pose_table_find(f->table, configuration, body);
    return pose ? pose->translation.x : NAN;
}

// ---- what is read

TEST(configurations_are_questions_of_their_own)
{
    Fixture f = read_table("configuration,body,x,y,z,qw,qx,qy,qz\r\n"
                           "home,link2,5,0,0,1,0,0,0\r\n"
                           "home,\"hand, left\",6,0,0,0.6,0.8,0,0\r\n"
                           "\"reach, far\",3,7,0,0,0.707,0,0,0.707\r\n");
    CHECK_INT((int64_t)f.table->configuration_count, 2);
    CHECK_TEXT(f.table->labels[0], "home");
    CHECK_TEXT(f.table->labels[1], "reach, far");
    CHECK(f.table->times == NULL);
    CHECK_INT((int64_t)f.table->moving_count, 2);
    CHECK_INT(f.table->moving[0], 2);
    CHECK_INT(f.table->moving[1], 3);
    CHECK_INT((int64_t)f.table->normalised_count, 1);
    CHECK_DOUBLE(x_of(&f, 0, 2), 5);
    CHECK_DOUBLE(x_of(&f, 0, 3), 6);
    CHECK_DOUBLE(x_of(&f, 1, 2), 2); // where it stands without a table
    CHECK_DOUBLE(x_of(&f, 1, 3), 7);
    CHECK(isnan(x_of(&f, 0, 0)) && isnan(x_of(&f, 0, 1)) && isnan(x_of(&f, 0, 99)));
    CHECK_DOUBLE(f.table->poses[1].rotation.x, 0.8);
    end(&f);
}

TEST(with_times_bodies_stay_where_they_were_put)
{
    Fixture f = read_table("time,body,x,y,z\n0.5,link1,5,0,0\n0.50,link2,6,0,0\n1.5,link1,7,0,0\n"
                           "3.5,\"hand, left\",8,0,0\n");
    CHECK_INT((int64_t)f.table->configuration_count, 3);
    CHECK_TEXT(f.table->labels[0], "0.5");
    CHECK_DOUBLE(f.table->times[0], 0.5);
    CHECK_DOUBLE(f.table->times[2], 3.5);
    CHECK_DOUBLE(x_of(&f, 1, 1), 7);
    CHECK_DOUBLE(x_of(&f, 1, 2), 6);
    CHECK_DOUBLE(x_of(&f, 2, 1), 7);
    CHECK_DOUBLE(x_of(&f, 0, 3), 3); // not put anywhere yet
    CHECK_DOUBLE(x_of(&f, 2, 3), 8);
    end(&f);
}

TEST(poses_in_one_field_and_as_matrices)
{
    Fixture f = read_table("pose,configuration,body\n\"1,2,3\",a,0\n1 2 3 axis 0 0 1 180,b,0\n");
    CHECK_DOUBLE(f.table->poses[0].translation.z, 3);
    CHECK_DOUBLE(f.table->poses[1].rotation.z, 1);
    end(&f);
    f = read_table("m03,m00,m01,m02,m10,m11,m12,m13,m20,m21,m22,m23,body,configuration\n"
                   "7,0,-1,0,1,0,0,8,0,0,1,9,link1,a\n");
    CHECK_DOUBLE(f.table->poses[0].translation.x, 7);
    CHECK_DOUBLE(f.table->poses[0].translation.z, 9);
    CHECK_DOUBLE(f.table->poses[0].rotation.z, sqrt(0.5));
    end(&f);
}

TEST(without_base_poses_bodies_are_at_the_identity)
{
    imp_Context *context = new_context();
    impi_BodyNames *names = NULL;
    impi_PoseTable *table = NULL;
    static const char text[] = "configuration,body,x,y,z\na,0,1,0,0\nb,1,2,0,0\n";
    CHECK_INT(impi_body_names_adopt(context, body_names, BODIES, &names), IMP_STATUS_OK);
    CHECK_INT(impi_pose_table_read(context, text, sizeof text - 1, "p", names, NULL, &table), IMP_STATUS_OK);
    CHECK_DOUBLE(table->poses[1].translation.x, 0);
    CHECK_DOUBLE(table->poses[1].rotation.w, 1);
    impi_pose_table_destroy(context, table);
    impi_pose_table_destroy(context, NULL);
    impi_body_names_destroy(names);
    imp_context_destroy(context);
}

// ---- what is refused

static void check_refused(const char *text, const char *message)
{
    Fixture f = read_bytes(text, strlen(text));
    CHECK_INT(f.status, IMP_STATUS_BAD_FILE);
    CHECK_TEXT(imp_context_get_error(f.context)->message, message);
    CHECK(f.table == NULL);
    end(&f);
}

TEST(headers_that_are_wrong)
{
    check_refused("", "poses.csv:1: the file is empty, expected a first row with the names of the columns");
    check_refused("configuration,body,x,y,z\n",
                  "poses.csv:2: there are no rows behind the first, which names the columns");
    check_refused("configuration,body,x,y,z,x\n", "poses.csv:1: the column 'x' is there twice");
    check_refused("configuraton,body,x,y,z\n", "poses.csv:1: the first row names the columns, and there is "
                                               "no 'configuraton'; did you mean 'configuration'?");
    check_refused("station 1,link1,0,0,0\n",
                  "poses.csv:1: the first row names the columns, and there is no 'station 1'; expected "
                  "configuration or time, body, and x, y, z, qw, qx, "
                  "qy, qz, or pose, or m00 to m23");
    check_refused("configuration,time,body,x,y,z\n",
                  "poses.csv:1: the columns 'configuration' and 'time' exclude each other");
    check_refused("body,x,y,z\n", "poses.csv:1: the column 'configuration' or 'time' is missing");
    check_refused("time,x,y,z\n", "poses.csv:1: the column 'body' is missing");
    check_refused("time,body\n",
                  "poses.csv:1: there is no pose: expected the columns x, y, z, or pose, or m00 to m23");
    check_refused("time,body,x,z\n", "poses.csv:1: the column 'y' is missing beside 'x'");
    check_refused("time,body,x,y,z,qw,qx,qy\n", "poses.csv:1: the column 'qz' is missing beside 'qw'");
    check_refused("time,body,qw,qx,qy,qz\n", "poses.csv:1: the column 'x' is missing beside 'qw'");
    check_refused("time,body,m00\n", "poses.csv:1: the column 'm01' is missing beside 'm00'");
    check_refused("time,body,x,y,z,pose\n", "poses.csv:1: the columns 'pose' and 'x' exclude each other");
    check_refused("time,body,qw,pose\n", "poses.csv:1: the columns 'pose' and 'qw' exclude each other");
    check_refused("time,body,x,m00\n", "poses.csv:1: the columns 'x' and 'm00' exclude each other");
    check_refused("time,body,pose,m00\n", "poses.csv:1: the columns 'pose' and 'm00' exclude each other");
}

#define HEADER "configuration,body,x,y,z\n"

TEST(rows_that_are_wrong)
{
    check_refused(HEADER "a,link1,0,0\n",
                  "poses.csv:2: the row has 4 fields, expected 5 as in the first row");
    check_refused(HEADER "a,link1,0,0,0\n\na,link2,0,0,0,0\n",
                  "poses.csv:4: the row has 6 fields, expected 5 as in the first row");
    check_refused(HEADER ",link1,0,0,0\n", "poses.csv:2: the configuration is empty");
    check_refused(HEADER "a,lnk1,0,0,0\n", "poses.csv:2: no body is named 'lnk1'; did you mean 'link1'?");
    check_refused(HEADER "a,9,0,0,0\n",
                  "poses.csv:2: there is no body 9; the last one is 3, counting from 0");
    check_refused(HEADER "a,link*,0,0,0\n", "poses.csv:2: 'link*' fits 2 bodies: 1 (link1) and 2 (link2)");
    check_refused(HEADER "a,link1,0,nan,0\n", "poses.csv:2: link1: expected a finite number as y, got 'nan'");
    check_refused(HEADER "a,link1,0,,0\n", "poses.csv:2: link1: expected a finite number as y, got ''");
    check_refused(HEADER "a,link1,0,0,1e999\n",
                  "poses.csv:2: link1: expected a finite number as z, got '1e999'");
    check_refused(HEADER "a,link1,\"1,5\",0,0\n",
                  "poses.csv:2: link1: expected a finite number as x, got '1,5'");
    check_refused(HEADER "a,link1,0,0,0\na,1,0,0,0\n",
                  "poses.csv:3: the body 'link1' is there twice in configuration 'a'");
    check_refused(
        HEADER "a,1,0,0,0\nb,1,0,0,0\nc,1,0,0,0\nc,2,0,0,0\nb,2,0,0,0\na,2,0,0,0\n",
        "poses.csv:6: the configuration 'b' began at line 3 and others came since; its rows must stand "
        "together");
    check_refused(HEADER "a,\"link1,0,0,0\n", "poses.csv:2: a quote is opened and never closed");
    check_refused("configuration,body,x,y,z,qw,qx,qy,qz\na,link1,0,0,0,0,0,0,2\n",
                  "poses.csv:2: link1: the rotation qw qx qy qz has length 2, expected 1");
    check_refused("configuration,body,pose\na,link1,0 0\n",
                  "poses.csv:2: link1: expected 3, 7, 12 or 16 numbers, got 2");
}

TEST(times_that_are_wrong)
{
    check_refused("time,body,x,y,z\n1,1,0,0,0\n0.5,1,0,0,0\n",
                  "poses.csv:3: the time 0.5 comes after 1; times must ascend");
    check_refused("time,body,x,y,z\n1,1,0,0,0\n1.0,1,0,0,0\n",
                  "poses.csv:3: the body 'link1' is there twice in time '1'");
    check_refused("time,body,x,y,z\nnan,1,0,0,0\n",
                  "poses.csv:2: 1: expected a finite number as time, got 'nan'");
    check_refused("time,body,x,y,z\n,1,0,0,0\n", "poses.csv:2: the time is empty");
}

// Every beginning of a table is read or refused, and names its file.
TEST(tables_that_are_cut_short)
{
    static const char text[] =
        "configuration,body,pose\nhome,link1,\"0,0,1\"\n\"re\"\"ach\",link2,0 0 1 axis 0 0 1 "
        "90\n";
    size_t good = 0;
    for (size_t size = 0; size < sizeof text; ++size) {
        char *copy = malloc(size + 1);
        memcpy(copy, text, size);
        Fixture f = read_bytes(copy, size);
        free(copy);
        good += f.status == IMP_STATUS_OK;
        if (f.status != IMP_STATUS_OK) {
            CHECK_INT(f.status, IMP_STATUS_BAD_FILE);
            CHECK_CONTAINS(imp_context_get_error(f.context)->message, "poses.csv:");
        }
        end(&f);
    }
    CHECK(good >= 3 && good < 20);
}

// ---- files, motions, many, out of memory

TEST(tables_come_from_files)
{
    imp_Context *context = new_context();
    impi_BodyNames *names = NULL;
    impi_PoseTable *table = NULL;
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    const char *path = path_in(folder, "poses.csv");
    CHECK_INT(impi_body_names_adopt(context, body_names, BODIES, &names), IMP_STATUS_OK);
    CHECK_INT(impi_pose_table_load(context, path, names, NULL, &table), IMP_STATUS_IO);
    write_file(path, "", 0);
    CHECK_INT(impi_pose_table_load(context, path, names, NULL, &table), IMP_STATUS_BAD_FILE);
    write_file(path, HEADER "a,1,0,0,0\n", strlen(HEADER) + 10);
    CHECK_INT(impi_pose_table_load(context, path, names, NULL, &table), IMP_STATUS_OK);
    CHECK_INT((int64_t)table->moving_count, 1);
    impi_pose_table_destroy(context, table);
    impi_body_names_destroy(names);
    remove_folder(folder);
    imp_context_destroy(context);
}

static impi_StillBody still_bodies[BODIES];

static impi_Motion motion_of(const Fixture *f, impi_PosedBodies *posed)
{
    impi_Motion motion = {0};
    for (int i = 0; i < BODIES; ++i)
        still_bodies[i] = (impi_StillBody){.name = body_names[i], .pose = base_poses[i]};
    *posed = (impi_PosedBodies){still_bodies, BODIES, f->table};
    CHECK_INT(impi_pose_motion(f->context, posed, &motion), IMP_STATUS_OK);
    return motion;
}

TEST(a_table_is_a_motion)
{
    Fixture f = read_table("time,body,x,y,z\n0,link1,5,0,0\n0.5,link1,6,0,0\n2,link2,7,0,0\n");
    impi_PosedBodies posed;
    impi_Motion motion = motion_of(&f, &posed);
    imp_Pose pose;
    CHECK_INT(motion.frame_count, 3);
    CHECK_DOUBLE(motion.frame_rate, 1);
    CHECK(!motion.is_still && motion.body_count == BODIES);
    CHECK_TEXT(impi_motion_body(&motion, 3).name, "hand, left");
    CHECK_INT(impi_motion_place(f.context, &motion, 1, 1, &pose, NULL), IMP_STATUS_OK);
    CHECK_DOUBLE(pose.translation.x, 6);
    CHECK_INT(impi_motion_place(f.context, &motion, 2, 2, &pose, NULL), IMP_STATUS_OK);
    CHECK_DOUBLE(pose.translation.x, 7);
    CHECK_INT(impi_motion_place(f.context, &motion, 2, 0, &pose, NULL), IMP_STATUS_OK);
    CHECK_DOUBLE(pose.translation.x, 9);
    impi_PoseTable many = *f.table;
    many.configuration_count = IMPI_MAX_FRAMES + 1;
    posed.table = &many;
    CHECK_INT(impi_pose_motion(f.context, &posed, &motion), IMP_STATUS_TOO_LARGE);
    end(&f);
}

TEST(rates_of_motions)
{
    static const struct {
        const char *text;
        double rate;
    } cases[] = {{"time,body,x,y,z\n0,1,0,0,0\n0.04,1,0,0,0\n0.08,1,0,0,0\n", 25},
                 {"time,body,x,y,z\n3,1,0,0,0\n", 1},
                 {"time,body,x,y,z\n-1e308,1,0,0,0\n1e308,1,0,0,0\n", 1},
                 {"time,body,x,y,z\n0,1,0,0,0\n1e-320,1,0,0,0\n", 1},
                 {HEADER "a,1,0,0,0\nb,1,0,0,0\n", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Fixture f = read_table(cases[i].text);
        impi_PosedBodies posed;
        CHECK_DOUBLE(motion_of(&f, &posed).frame_rate, cases[i].rate);
        end(&f);
    }
}

// A quarter of a million rows, as a planner writes them.
TEST(ten_thousand_configurations_of_25_bodies)
{
    enum { CONFIGURATIONS = 10000, MANY = 25 };
    size_t capacity = (size_t)CONFIGURATIONS * MANY * 96, used = 0;
    char *text = malloc(capacity), names_text[MANY][16];
    const char *own[MANY];
    imp_Context *context = new_context();
    impi_BodyNames *names = NULL;
    impi_PoseTable *table = NULL;
    for (int i = 0; i < MANY; ++i) {
        snprintf(names_text[i], sizeof names_text[i], "robot/link%d", i);
        own[i] = names_text[i];
    }
    used = (size_t)snprintf(text, capacity, "configuration,body,x,y,z,qw,qx,qy,qz\n");
    for (int k = 0; k < CONFIGURATIONS; ++k)
        for (int i = 0; i < MANY; ++i)
            used += (size_t)snprintf(text + used, capacity - used,
                                     "%d,robot/link%d,%.9g,%.9g,0.123456789012,0.923879532,0,0.382683432,0\n",
                                     k, i, k * 0.001, i * 0.7);
    CHECK_INT(impi_body_names_adopt(context, own, MANY, &names), IMP_STATUS_OK);
    CHECK_INT(impi_pose_table_read(context, text, used, "poses.csv", names, NULL, &table), IMP_STATUS_OK);
    CHECK_INT((int64_t)table->configuration_count, CONFIGURATIONS);
    CHECK_INT((int64_t)table->moving_count, MANY);
    CHECK_DOUBLE(table->poses[(size_t)5000 * MANY + 7].translation.x, 5);
    CHECK_TEXT(table->labels[5000], "5000");
    impi_pose_table_destroy(context, table);
    impi_body_names_destroy(names);
    imp_context_destroy(context);
    free(text);
}

TEST(few_rows_that_ask_for_too_many_poses)
{
    enum { MANY = 20000 };
    char *text = malloc((size_t)MANY * 32), *names_text = malloc((size_t)MANY * 8);
    const char **own = malloc(MANY * sizeof *own);
    size_t used = (size_t)sprintf(text, HEADER);
    imp_Context *context = new_context();
    impi_BodyNames *names = NULL;
    impi_PoseTable *table = NULL;
    for (size_t i = 0; i < MANY; ++i) {
        snprintf(names_text + 8 * i, 8, "b%zu", i % 100000);
        own[i] = names_text + 8 * i;
        used += (size_t)sprintf(text + used, "%zu,%zu,0,0,0\n", i, i);
    }
    CHECK_INT(impi_body_names_adopt(context, own, MANY, &names), IMP_STATUS_OK);
    CHECK_INT(impi_pose_table_read(context, text, used, "poses.csv", names, NULL, &table),
              IMP_STATUS_TOO_LARGE);
    CHECK_TEXT(imp_context_get_error(context)->message,
               "poses.csv: 20000 configurations of 20000 bodies are more than 268435456 poses");
    impi_body_names_destroy(names);
    imp_context_destroy(context);
    free(own);
    free(names_text);
    free(text);
}

TEST(tables_without_memory)
{
    FailingAllocator memory;
    uint64_t n = 0;
    static const char text[] = HEADER "a,1,0,0,0\na,2,0,0,0\nb,0,0,0,0\n";
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        impi_BodyNames *names = NULL;
        impi_PoseTable *table = NULL;
        imp_Status status = imp_context_create(&def, &context);
        if (status == IMP_STATUS_OK)
            status = impi_body_names_adopt(context, body_names, BODIES, &names);
        if (status == IMP_STATUS_OK)
            status = impi_pose_table_read(context, text, sizeof text - 1, "p", names, base_poses, &table);
        CHECK_INT(status, failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        impi_pose_table_destroy(context, table);
        impi_body_names_destroy(names);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 10);
}
