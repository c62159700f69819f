#include "playback/pose_text.h"

#include "geom/quaternion.h"
#include "io/decimal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_NUMBERS 16
#define SHOWN       60    // bytes of a word, in errors
#define MAX_OFF     1e-3  // what digits may be off by
#define MAX_EXACT   1e-14 // what is off by no more was not rounded by anybody

// Who is told what is wrong, and where that is.
typedef struct Reader {
    imp_Context *context;
    impi_Place place;
    const char *subject;
} Reader;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static imp_Status
refuse(const Reader *reader, const char *format, ...)
{
    char text[IMP_MAX_ERROR_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    imp_Status status = reader->place.line != IMP_NOWHERE ? IMP_STATUS_BAD_FILE : IMP_STATUS_BAD_ARGUMENT;
    if (reader->subject)
        return impi_fail_at(reader->context, status, reader->place, "%.*s: %s", 2 * SHOWN, reader->subject,
                            text);
    return impi_fail_at(reader->context, status, reader->place, "%s", text);
}

// ---- quaternions

static imp_Status take_quaternion(const Reader *reader, const double *q, impi_ParsedPose *pose)
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(length - 1) <= MAX_OFF))
        return refuse(reader, "the rotation qw qx qy qz has length %.9g, expected 1", length);
    imp_Quat rotation = {q[0], q[1], q[2], q[3]};
    pose->was_normalised = fabs(length - 1) > MAX_EXACT;
    pose->pose.rotation = pose->was_normalised ? impi_quat_normalise(rotation) : rotation;
    return IMP_STATUS_OK;
}

// Sine and cosine of an angle in degrees. Quarters of turns and their halves are as exact as they can be.
static void turn(double degrees, double *sine, double *cosine)
{
    int quarters = 0;
    double rest = remquo(fmod(degrees, 360), 90, &quarters); // both exact
    double radians = rest * (3.14159265358979323846 / 180);
    double s = fabs(rest) == 45 ? copysign(sqrt(0.5), rest) : sin(radians);
    double c = fabs(rest) == 45 ? sqrt(0.5) : cos(radians);
    const double sines[4] = {s, c, -s, -c};
    *sine = sines[(unsigned)quarters & 3];
    *cosine = sines[((unsigned)quarters + 1) & 3];
}

static imp_Status take_axis(const Reader *reader, const double *axis, double degrees, impi_ParsedPose *pose)
{
    double largest = fmax(fmax(fabs(axis[0]), fabs(axis[1])), fabs(axis[2]));
    if (largest == 0)
        return refuse(reader, "the axis of the rotation is 0 0 0, which has no direction");
    // Divided first, so that no square is too large or too small for a double.
    double x = axis[0] / largest, y = axis[1] / largest, z = axis[2] / largest, sine, cosine;
    double length = sqrt(x * x + y * y + z * z);
    turn(fmod(degrees, 720) / 2, &sine, &cosine);
    // Zeros have no sign once 0 is added.
    pose->pose.rotation =
        (imp_Quat){cosine + 0.0, x / length * sine + 0.0, y / length * sine + 0.0, z / length * sine + 0.0};
    return IMP_STATUS_OK;
}

// ---- matrices

typedef struct Matrix {
    double m[3][3];
} Matrix;

static double dot_columns(const Matrix *a, int i, int k)
{
    return a->m[0][i] * a->m[0][k] + a->m[1][i] * a->m[1][k] + a->m[2][i] * a->m[2][k];
}

// The determinant times the transpose of the inverse.
static Matrix cofactors(const Matrix *a)
{
    Matrix result;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            result.m[i][k] = a->m[i1][k1] * a->m[i2][k2] - a->m[i1][k2] * a->m[i2][k1];
        }
    return result;
}

static double determinant(const Matrix *a)
{
    Matrix c = cofactors(a);
    return a->m[0][0] * c.m[0][0] + a->m[0][1] * c.m[0][1] + a->m[0][2] * c.m[0][2];
}

// How far the products of columns are from those of a rotation that is scaled by this.
static double measure_error(const Matrix *a, double scale)
{
    double error = 0;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k <= i; ++k) {
            double off = fabs(dot_columns(a, i, k) / (scale * scale) - (i == k));
            if (isnan(off)) // of numbers too large to be multiplied
                return INFINITY;
            error = fmax(error, off);
        }
    return error;
}

static imp_Status refuse_matrix(const Reader *reader, const Matrix *a)
{
    double lengths[3], det = determinant(a);
    for (int i = 0; i < 3; ++i)
        lengths[i] = sqrt(dot_columns(a, i, i));
    double scale = cbrt(fabs(det));
    if (det < 0)
        return refuse(reader, "the matrix mirrors (its determinant is %.9g); a pose turns and moves only",
                      det);
    if (measure_error(a, scale) <= 2 * MAX_OFF)
        return refuse(reader, "the matrix scales by %.9g: see --scale; a pose turns and moves only", scale);
    if (fabs(lengths[0] - 1) <= MAX_OFF && fabs(lengths[1] - 1) <= MAX_OFF && fabs(lengths[2] - 1) <= MAX_OFF)
        return refuse(reader, "the matrix shears: its columns are not at right angles");
    return refuse(reader,
                  "the matrix is no rotation: its columns have the lengths %.9g, %.9g and %.9g, expected 1",
                  lengths[0], lengths[1], lengths[2]);
}

// The nearest rotation to a matrix that nearly is one: the mean with its inverse transposed is nearer by the
// square (Higham, "Computing the polar decomposition", 1986); from 1e-3 four steps reach the last bit.
static Matrix nearest_rotation(Matrix a)
{
    for (int step = 0; step < 4; ++step) {
        Matrix c = cofactors(&a);
        double det = determinant(&a);
        for (int i = 0; i < 9; ++i)
            a.m[i / 3][i % 3] = 0.5 * (a.m[i / 3][i % 3] + c.m[i / 3][i % 3] / det);
    }
    return a;
}

// Each component comes from the diagonal where it is large, so that quarters of turns are exact, and from the
// largest component where it is small and the diagonal would lose its digits.
static imp_Quat quaternion_of(const Matrix *a)
{
    const double(*m)[3] = a->m;
    const double squares[4] = {(1 + m[0][0] + m[1][1] + m[2][2]) / 4, (1 + m[0][0] - m[1][1] - m[2][2]) / 4,
                               (1 - m[0][0] + m[1][1] - m[2][2]) / 4, (1 - m[0][0] - m[1][1] + m[2][2]) / 4};
    // Four times the products of the components w, x, y and z.
    const double products[4][4] = {{0, m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]},
                                   {m[2][1] - m[1][2], 0, m[0][1] + m[1][0], m[0][2] + m[2][0]},
                                   {m[0][2] - m[2][0], m[0][1] + m[1][0], 0, m[1][2] + m[2][1]},
                                   {m[1][0] - m[0][1], m[0][2] + m[2][0], m[1][2] + m[2][1], 0}};
    int largest = 0;
    double q[4];
    for (int i = 1; i < 4; ++i)
        largest = squares[i] > squares[largest] ? i : largest;
    for (int i = 0; i < 4; ++i) {
        double root = sqrt(fmax(squares[i], 0));
        q[i] = i == largest       ? root
               : squares[i] > 0.1 ? copysign(root, products[largest][i])
                                  : products[largest][i] / (4 * sqrt(squares[largest]));
    }
    double sign = q[0] < 0 ? -1 : 1;
    return impi_quat_normalise((imp_Quat){sign * q[0], sign * q[1], sign * q[2], sign * q[3]});
}

static imp_Status take_matrix(const Reader *reader, const double *rows, impi_ParsedPose *pose)
{
    Matrix a;
    for (int i = 0; i < 9; ++i)
        a.m[i / 3][i % 3] = rows[4 * (i / 3) + i % 3];
    double error = measure_error(&a, 1);
    if (!(error <= 2 * MAX_OFF && determinant(&a) > 0)) // squares of lengths are off by twice as much
        return refuse_matrix(reader, &a);
    Matrix rotation = nearest_rotation(a);
    pose->was_normalised = error > MAX_EXACT;
    pose->pose = (imp_Pose){{rows[3], rows[7], rows[11]}, quaternion_of(&rotation)};
    return IMP_STATUS_OK;
}

static imp_Status check_last_row(const Reader *reader, const double *numbers)
{
    const double *row = numbers + 12;
    bool is_transposed = numbers[3] == 0 && numbers[7] == 0 && numbers[11] == 0 && row[3] == 1;
    if (row[0] == 0 && row[1] == 0 && row[2] == 0 && row[3] == 1)
        return IMP_STATUS_OK;
    return refuse(reader, "the last row of the 4 x 4 matrix is %.9g %.9g %.9g %.9g, expected 0 0 0 1%s",
                  row[0], row[1], row[2], row[3],
                  is_transposed ? ": it seems to be written by columns, write it by rows" : "");
}

// ---- numbers and text

static imp_Status refuse_count(const Reader *reader, size_t count)
{
    if (count == 1 && reader->place.line == IMP_NOWHERE)
        return refuse(reader,
                      "expected 3, 7, 12 or 16 numbers in one argument, got 1; quote the pose: \"0 0 1\"");
    return refuse(reader, "expected 3, 7, 12 or 16 numbers, got %zu", count);
}

static imp_Status take_numbers(const Reader *reader, const double *numbers, size_t count,
                               impi_ParsedPose *pose)
{
    impi_ParsedPose taken = {.pose.rotation.w = 1};
    imp_Status status = IMP_STATUS_OK;
    if (count == 3 || count == 7)
        taken.pose.translation = (imp_Vec3){numbers[0], numbers[1], numbers[2]};
    if (count == 7)
        status = take_quaternion(reader, numbers + 3, &taken);
    else if (count == 16)
        status = check_last_row(reader, numbers);
    else if (count != 3 && count != 12)
        status = refuse_count(reader, count);
    if (status == IMP_STATUS_OK && count >= 12)
        status = take_matrix(reader, numbers, &taken);
    if (status == IMP_STATUS_OK)
        *pose = taken;
    return status;
}

imp_Status impi_pose_from_numbers(imp_Context *context, impi_Place place, const char *subject,
                                  const double *numbers, size_t count, impi_ParsedPose *pose)
{
    Reader reader = {context, place, subject};
    return take_numbers(&reader, numbers, count, pose);
}

static bool is_separator(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == ',';
}

static const char *skip_separators(const char *text)
{
    while (is_separator(*text))
        ++text;
    return text;
}

static size_t measure_word(const char *text)
{
    size_t length = 0;
    while (text[length] && !is_separator(text[length]))
        ++length;
    return length;
}

// Read numbers up to the end or to another word, where `*text` is then. Counts those too that are too many.
static imp_Status read_numbers(const Reader *reader, const char **text, double numbers[MAX_NUMBERS],
                               size_t *count)
{
    for (*text = skip_separators(*text); **text; *text = skip_separators(*text)) {
        size_t length = measure_word(*text);
        double number = 0;
        if (impi_decimal_parse(*text, *text + length, &number) != *text + length)
            return IMP_STATUS_OK;
        if (!isfinite(number))
            return refuse(reader, "the number %.*s is too large", (int)(length < SHOWN ? length : SHOWN),
                          *text);
        if (*count < MAX_NUMBERS)
            numbers[*count] = number;
        ++*count;
        *text += length;
    }
    return IMP_STATUS_OK;
}

static imp_Status refuse_word(const Reader *reader, const char *word)
{
    size_t length = measure_word(word);
    return refuse(reader, "expected a number, got '%.*s'", (int)(length < SHOWN ? length : SHOWN), word);
}

static imp_Status read_axis(const Reader *reader, const char *text, const double *translation,
                            size_t translation_count, impi_ParsedPose *pose)
{
    double numbers[MAX_NUMBERS] = {0};
    size_t count = 0;
    impi_ParsedPose taken = {0};
    imp_Status status = read_numbers(reader, &text, numbers, &count);
    if (status == IMP_STATUS_OK && *text)
        status = refuse_word(reader, text);
    else if (status == IMP_STATUS_OK && (translation_count != 3 || count != 4))
        status = refuse(
            reader,
            "expected \"TX TY TZ axis AX AY AZ DEGREES\", got %zu numbers before 'axis' and %zu behind it",
            translation_count, count);
    if (status == IMP_STATUS_OK)
        status = take_axis(reader, numbers, numbers[3], &taken);
    if (status != IMP_STATUS_OK)
        return status;
    taken.pose.translation = (imp_Vec3){translation[0], translation[1], translation[2]};
    *pose = taken;
    return IMP_STATUS_OK;
}

imp_Status impi_pose_parse(imp_Context *context, impi_Place place, const char *subject, const char *text,
                           impi_ParsedPose *pose)
{
    Reader reader = {context, place, subject};
    double numbers[MAX_NUMBERS] = {0};
    size_t count = 0;
    imp_Status status = read_numbers(&reader, &text, numbers, &count);
    if (status != IMP_STATUS_OK)
        return status;
    if (measure_word(text) == 4 && memcmp(text, "axis", 4) == 0)
        return read_axis(&reader, text + 4, numbers, count, pose);
    return *text ? refuse_word(&reader, text) : take_numbers(&reader, numbers, count, pose);
}
