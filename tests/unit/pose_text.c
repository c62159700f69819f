#include "playback/pose_text.h"

#include "mesh_files.h"

#include <math.h>

static impi_ParsedPose parse(const char *text)
{
    imp_Context *context = new_context();
    impi_ParsedPose pose = {0};
    if (!CHECK_INT(impi_pose_parse(context, IMPI_NO_PLACE, NULL, text, &pose), IMP_STATUS_OK))
        printf("  '%s': %s\n", text, imp_context_get_error(context)->message);
    imp_context_destroy(context);
    return pose;
}

static void check_pose(const char *text, imp_Vec3 t, imp_Quat q, bool was_normalised)
{
    impi_ParsedPose got = parse(text);
    CHECK_DOUBLE(got.pose.translation.x, t.x);
    CHECK_DOUBLE(got.pose.translation.y, t.y);
    CHECK_DOUBLE(got.pose.translation.z, t.z);
    CHECK_DOUBLE(got.pose.rotation.w, q.w);
    CHECK_DOUBLE(got.pose.rotation.x, q.x);
    CHECK_DOUBLE(got.pose.rotation.y, q.y);
    CHECK_DOUBLE(got.pose.rotation.z, q.z);
    if (!CHECK_INT(got.was_normalised, was_normalised))
        printf("  '%s'\n", text);
}

static void check_refused(const char *text, const char *message)
{
    imp_Context *context = new_context();
    impi_ParsedPose pose = {.was_normalised = true, .pose.translation.x = 7};
    CHECK_INT(impi_pose_parse(context, IMPI_NO_PLACE, "--pose arm", text, &pose), IMP_STATUS_BAD_ARGUMENT);
    CHECK_TEXT(imp_context_get_error(context)->message, message);
    CHECK(pose.was_normalised && pose.pose.translation.x == 7);
    imp_context_destroy(context);
}

static double half_root(void)
{
    return sqrt(0.5);
}

TEST(translations_and_quaternions)
{
    check_pose("1 2 -3.5", (imp_Vec3){1, 2, -3.5}, (imp_Quat){1, 0, 0, 0}, false);
    check_pose(" 1,2 , 3,\t", (imp_Vec3){1, 2, 3}, (imp_Quat){1, 0, 0, 0}, false);
    check_pose("1 2 3 0.6 0.8 0 0", (imp_Vec3){1, 2, 3}, (imp_Quat){0.6, 0.8, 0, 0}, false);
    check_pose("0 0 0 -1 0 0 0", (imp_Vec3){0, 0, 0}, (imp_Quat){-1, 0, 0, 0}, false);
}

TEST(quaternions_off_by_their_digits_are_normalised)
{
    double q = half_root();
    check_pose("0 0 0 0.707 0 0 0.707", (imp_Vec3){0, 0, 0}, (imp_Quat){q, 0, 0, q}, true);
    check_pose("0 0 0 0.7071068 0 0 0.7071068", (imp_Vec3){0, 0, 0}, (imp_Quat){q, 0, 0, q}, true);
    check_refused("0 0 0 0.7 0 0 0.7",
                  "--pose arm: the rotation qw qx qy qz has length 0.989949494, expected 1");
    check_refused("0 0 0 0 0 0 0", "--pose arm: the rotation qw qx qy qz has length 0, expected 1");
    check_refused("0 0 0 1e300 0 0 0", "--pose arm: the rotation qw qx qy qz has length inf, expected 1");
}

TEST(axes_and_angles)
{
    double q = half_root();
    check_pose("1 2 3 axis 0 0 1 90", (imp_Vec3){1, 2, 3}, (imp_Quat){q, 0, 0, q}, false);
    check_pose("1,2,3,axis,0,0,5e200,90", (imp_Vec3){1, 2, 3}, (imp_Quat){q, 0, 0, q}, false);
    check_pose("0 0 0 axis 0 1e-300 0 -90", (imp_Vec3){0, 0, 0}, (imp_Quat){q, 0, -q, 0}, false);
    check_pose("0 0 0 axis 1 0 0 180", (imp_Vec3){0, 0, 0}, (imp_Quat){0, 1, 0, 0}, false);
    check_pose("0 0 0 axis 1 0 0 360", (imp_Vec3){0, 0, 0}, (imp_Quat){-1, 0, 0, 0}, false);
    check_pose("0 0 0 axis 1 0 0 720", (imp_Vec3){0, 0, 0}, (imp_Quat){1, 0, 0, 0}, false);
    check_pose("0 0 0 axis 1 2 3 0", (imp_Vec3){0, 0, 0}, (imp_Quat){1, 0, 0, 0}, false);
    impi_ParsedPose sixty = parse("0 0 0 axis 1 1 1 60");
    CHECK(fabs(sixty.pose.rotation.w - sqrt(0.75)) < 1e-15 &&
          fabs(sixty.pose.rotation.x - 0.5 / sqrt(3)) < 1e-15);
    check_refused("0 0 0 axis 0 0 0 90",
                  "--pose arm: the axis of the rotation is 0 0 0, which has no direction");
    check_refused("0 0 0 axis 0 0 1",
                  "--pose arm: expected \"TX TY TZ axis AX AY AZ DEGREES\", got 3 numbers "
                  "before 'axis' and 3 behind it");
    check_refused("axis 0 0 1 90",
                  "--pose arm: expected \"TX TY TZ axis AX AY AZ DEGREES\", got 0 numbers before "
                  "'axis' and 4 behind it");
    check_refused("0 0 0 axis 0 0 1 90 deg", "--pose arm: expected a number, got 'deg'");
    check_refused("0 0 0 axis 0 0 1 axis", "--pose arm: expected a number, got 'axis'");
}

TEST(matrices_by_rows)
{
    double q = half_root();
    check_pose("1 0 0 7 0 1 0 8 0 0 1 9", (imp_Vec3){7, 8, 9}, (imp_Quat){1, 0, 0, 0}, false);
    check_pose("0 -1 0 7 1 0 0 8 0 0 1 9", (imp_Vec3){7, 8, 9}, (imp_Quat){q, 0, 0, q}, false);
    check_pose("1 0 0 7 0 -1 0 8 0 0 -1 9 0 0 0 1", (imp_Vec3){7, 8, 9}, (imp_Quat){0, 1, 0, 0}, false);
    check_pose("0 0 1 0 1 0 0 0 0 1 0 0", (imp_Vec3){0, 0, 0}, (imp_Quat){0.5, 0.5, 0.5, 0.5}, false);
    check_pose("0 -1.0004 0 7 1.0004 0 0 8 0 0 1.0004 9", (imp_Vec3){7, 8, 9}, (imp_Quat){q, 0, 0, q}, true);
}

TEST(matrices_that_are_no_rotations_are_told_what_they_are)
{
    check_refused("25.4 0 0 0 0 25.4 0 0 0 0 25.4 0",
                  "--pose arm: the matrix scales by 25.4: see --scale; a pose turns and moves only");
    check_refused("0.001 0 0 0 0 0 -0.001 0 0 0.001 0 0 0 0 0 1",
                  "--pose arm: the matrix scales by 0.001: see --scale; a pose turns and moves only");
    check_refused("1 0 0 0 0 1 0 0 0 0 -1 0",
                  "--pose arm: the matrix mirrors (its determinant is -1); a pose turns and moves only");
    check_refused("1 0.6 0 0 0 0.8 0 0 0 0 1 0",
                  "--pose arm: the matrix shears: its columns are not at right angles");
    check_refused("1 0 0 0 0 2 0 0 0 0 1 0",
                  "--pose arm: the matrix is no rotation: its columns have the lengths 1, "
                  "2 and 1, expected 1");
    check_refused("0 0 0 0 0 0 0 0 0 0 0 0",
                  "--pose arm: the matrix is no rotation: its columns have the lengths 0, "
                  "0 and 0, expected 1");
    check_refused(
        "1e300 0 0 0 0 1e300 0 0 0 0 1e300 0",
        "--pose arm: the matrix is no rotation: its columns have the lengths inf, inf and inf, expected 1");
    check_refused("1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 2",
                  "--pose arm: the last row of the 4 x 4 matrix is 0 0 0 2, expected 0 0 0 1");
    check_refused("1 0 0 0 0 1 0 0 0 0 1 0 7 8 9 1", "--pose arm: the last row of the 4 x 4 matrix is 7 8 9 "
                                                     "1, expected 0 0 0 1: it seems to be written by "
                                                     "columns, write it by rows");
}

TEST(other_numbers_of_numbers)
{
    check_refused(
        "0", "--pose arm: expected 3, 7, 12 or 16 numbers in one argument, got 1; quote the pose: \"0 0 1\"");
    check_refused("", "--pose arm: expected 3, 7, 12 or 16 numbers, got 0");
    check_refused("1 2 3 4", "--pose arm: expected 3, 7, 12 or 16 numbers, got 4");
    check_refused("1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
                  "--pose arm: expected 3, 7, 12 or 16 numbers, got 18");
    check_refused("1 2 x", "--pose arm: expected a number, got 'x'");
    check_refused("1 2 nan", "--pose arm: expected a number, got 'nan'");
    check_refused("1 2 3m", "--pose arm: expected a number, got '3m'");
    check_refused("1;2;3", "--pose arm: expected a number, got '1;2;3'");
    check_refused("1 2 1e999", "--pose arm: the number 1e999 is too large");
}

TEST(a_line_of_a_file_makes_it_a_bad_pose_file)
{
    imp_Context *context = new_context();
    impi_ParsedPose pose;
    impi_Place place = {"poses.csv", 7, IMP_NOWHERE, IMP_NOWHERE};
    CHECK_INT(impi_pose_parse(context, place, "link3", "1", &pose), IMP_STATUS_BAD_FILE);
    CHECK_TEXT(imp_context_get_error(context)->message,
               "poses.csv:7: link3: expected 3, 7, 12 or 16 numbers, got 1");
    imp_context_destroy(context);
}

// A matrix made of a random rotation and rounded to some digits gives the rotation back, to as many.
TEST(random_rotations_as_matrices)
{
    imp_Context *context = new_context();
    uint64_t normalised = 0, count = test_count(20000);
    for (uint64_t i = 0; i < count; ++i) {
        imp_Pose pose = {.translation = {1, 2, 3}};
        double *q = &pose.rotation.w, length = 0, worst = 0;
        for (int k = 0; k < 4; ++k) {
            // Half turns and quarters, and what is near them, are the hard cases.
            q[k] = test_random_below(3) ? test_random_between(-1, 1) : 1e-9 * test_random_below(2);
            length += q[k] * q[k];
        }
        if (length < 0.01)
            continue;
        for (int k = 0; k < 4; ++k)
            q[k] /= sqrt(length);
        imp_Transform transform, back;
        CHECK_INT(imp_pose_transform(&pose, &transform), IMP_STATUS_OK);
        bool is_rounded = test_random_below(2);
        double rows[12], tolerance = is_rounded ? 2e-4 : 2e-15;
        for (int k = 0; k < 12; ++k)
            rows[k] = k % 4 == 3 ? k : transform.rows[k / 4][k % 4];
        for (int k = 0; is_rounded && k < 12; ++k)
            rows[k] = round(rows[k] * 1e4) / 1e4;
        impi_ParsedPose got = {0};
        CHECK_INT(impi_pose_from_numbers(context, IMPI_NO_PLACE, NULL, rows, 12, &got), IMP_STATUS_OK);
        CHECK_INT(imp_pose_transform(&got.pose, &back), IMP_STATUS_OK);
        for (int k = 0; k < 9; ++k)
            worst = fmax(worst, fabs(transform.rows[k / 3][k % 3] - back.rows[k / 3][k % 3]));
        CHECK(worst <= tolerance && got.pose.rotation.w >= 0 && got.pose.translation.y == 7);
        normalised += got.was_normalised;
    }
    CHECK(normalised > count / 5 && normalised < count * 3 / 5);
    imp_context_destroy(context);
}
