// Decimal text to double and back.
//
// Reading takes the first of three paths that is sure of its answer:
//   1. At most 15 digits or so and a small power of ten: one multiplication or division of two exact
//      doubles, correctly rounded by the hardware (Clinger, "How to read floating point numbers
//      accurately", 1990).
//   2. The leading 19 digits times a power of five in 128-bit arithmetic, whose error is bounded. Unless
//      the bound straddles the midpoint of two doubles, the answer is known.
//   3. The comparison of all digits with that midpoint, in integers as long as it takes.
// Writing scales by the same powers of five and checks each candidate by reading it back, so it needs no
// proof of its own.

#include "io/decimal.h"

#include "io/big_integer.h"
#include "io/plain_decimal.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 Uint128;

// Exponents beyond this saturate; no file is long enough to bring such a number back into range.
#define EXPONENT_LIMIT ((int64_t)1 << 50)

// A number digits * 10^exponent. When there are more digits than `head` holds, `digits_begin` is where the
// digits start in the text, for the slow path to read them all.
typedef struct Decimal {
    uint64_t head;
    int64_t exponent;
    const char *digits_begin, *digits_end; // null when `head` holds all
    int64_t full_exponent;                 // of the last digit of the text
} Decimal;

// mantissa * 2^exponent, with the top bit of the mantissa set. The true value is at least this and less
// than (mantissa + SCALE_ERROR) * 2^exponent.
typedef struct Scaled {
    Uint128 mantissa;
    int exponent;
} Scaled;

// Truncations: of the first product (less than 4 units of the final mantissa), of the table (2) and of the
// second product (3), all doubled at most twice by normalisation. The rest is margin.
#define SCALE_ERROR 256

#define FINE_STEPS       27
#define COARSE_STEP      55
#define COARSE_TABLE_LOW (-7)

static const uint64_t powers_of_five[FINE_STEPS + 1] = {
    1u,
    5u,
    25u,
    125u,
    625u,
    3125u,
    15625u,
    78125u,
    390625u,
    1953125u,
    9765625u,
    48828125u,
    244140625u,
    1220703125u,
    6103515625u,
    30517578125u,
    152587890625u,
    762939453125u,
    3814697265625u,
    19073486328125u,
    95367431640625u,
    476837158203125u,
    2384185791015625u,
    11920928955078125u,
    59604644775390625u,
    298023223876953125u,
    1490116119384765625u,
    7450580596923828125u,
};

// The leading 128 bits of a power of five, truncated.
typedef struct Power {
    uint64_t high, low;
    int exponent;
} Power;

// 5^(55 * (row + COARSE_TABLE_LOW)).
static const Power coarse_powers_of_five[] = {
    {0x8538b653c0e26d12u, 0xd3e2e66644b8673eu, -1021}, {0xd953e8624b85dd78u, 0xd71d6dad34a2af0du, -894},
    {0xb1442798f49ffb4au, 0x99cd11cfdf41779cu, -766},  {0x9096ea6f3848984fu, 0x3ff0d2c85def7621u, -638},
    {0xebdf661791d60f56u, 0x111b495b3464ad21u, -511},  {0xc06481fb9bcf8d39u, 0xe45ec2862f71e1d6u, -383},
    {0x9ced737bb6c4183du, 0x55464dd69685606bu, -255},  {0x8000000000000000u, 0x0000000000000000u, -127},
    {0xd0cf4b50cfe20765u, 0xfff4b4e3f741cf6du, 0},     {0xaa51823e34a7eedeu, 0xbd4b46f0599fd415u, 128},
    {0x8aec23d680043beeu, 0x25de7bb9480d5854u, 256},   {0xe2a0b5dc971f303au, 0x2e44ae64840fd61du, 383},
    {0xb8da1662e7b00a17u, 0x3d6a751f3b936243u, 511},   {0x96c6e0eab509e64du, 0x5eca783430dc19f5u, 639},
};

// 5^-row. Most numbers with more digits than a double takes exactly need one of these.
static const Power reciprocal_powers_of_five[FINE_STEPS + 1] = {
    {0x8000000000000000u, 0x0000000000000000u, -127}, {0xccccccccccccccccu, 0xccccccccccccccccu, -130},
    {0xa3d70a3d70a3d70au, 0x3d70a3d70a3d70a3u, -132}, {0x83126e978d4fdf3bu, 0x645a1cac083126e9u, -134},
    {0xd1b71758e219652bu, 0xd3c36113404ea4a8u, -137}, {0xa7c5ac471b478423u, 0x0fcf80dc33721d53u, -139},
    {0x8637bd05af6c69b5u, 0xa63f9a49c2c1b10fu, -141}, {0xd6bf94d5e57a42bcu, 0x3d32907604691b4cu, -144},
    {0xabcc77118461cefcu, 0xfdc20d2b36ba7c3du, -146}, {0x89705f4136b4a597u, 0x31680a88f8953030u, -148},
    {0xdbe6fecebdedd5beu, 0xb573440e5a884d1bu, -151}, {0xafebff0bcb24aafeu, 0xf78f69a51539d748u, -153},
    {0x8cbccc096f5088cbu, 0xf93f87b7442e45d3u, -155}, {0xe12e13424bb40e13u, 0x2865a5f206b06fb9u, -158},
    {0xb424dc35095cd80fu, 0x538484c19ef38c94u, -160}, {0x901d7cf73ab0acd9u, 0x0f9d37014bf60a10u, -162},
    {0xe69594bec44de15bu, 0x4c2ebe687989a9b3u, -165}, {0xb877aa3236a4b449u, 0x09befeb9fad487c2u, -167},
    {0x9392ee8e921d5d07u, 0x3aff322e62439fcfu, -169}, {0xec1e4a7db69561a5u, 0x2b31e9e3d06c32e5u, -172},
    {0xbce5086492111aeau, 0x88f4bb1ca6bcf584u, -174}, {0x971da05074da7beeu, 0xd3f6fc16ebca5e03u, -176},
    {0xf1c90080baf72cb1u, 0x5324c68b12dd6338u, -179}, {0xc16d9a0095928a27u, 0x75b7053c0f178293u, -181},
    {0x9abe14cd44753b52u, 0xc4926a9672793542u, -183}, {0xf79687aed3eec551u, 0x3a83ddbd83f52204u, -186},
    {0xc612062576589ddau, 0x95364afe032a819du, -188}, {0x9e74d1b791e07e48u, 0x775ea264cf55347du, -190}};

static int leading_zeros_128(Uint128 value)
{
    uint64_t high = (uint64_t)(value >> 64);
    return high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)value);
}

// The upper half of a 256-bit product, at most 2 too small.
static Uint128 multiply_high(Uint128 a, Uint128 b)
{
    uint64_t a_high = (uint64_t)(a >> 64), a_low = (uint64_t)a;
    uint64_t b_high = (uint64_t)(b >> 64), b_low = (uint64_t)b;
    return (Uint128)a_high * b_high + ((Uint128)a_high * b_low >> 64) + ((Uint128)a_low * b_high >> 64);
}

// The upper 128 bits of a 192-bit product, truncated.
static Uint128 multiply_short(uint64_t a, Uint128 b)
{
    return (Uint128)a * (uint64_t)(b >> 64) + ((Uint128)a * (uint64_t)b >> 64);
}

static Uint128 power_mantissa(const Power *power)
{
    return (Uint128)power->high << 64 | power->low;
}

static Scaled normalize(Uint128 mantissa, int exponent)
{
    int shift = leading_zeros_128(mantissa);
    return (Scaled){mantissa << shift, exponent - shift};
}

// factor * 5^power, for factor > 0 and power within the tables (-385 to 384).
static Scaled scale_by_power_of_five(uint64_t factor, int power)
{
    int factor_shift = __builtin_clzll(factor);
    factor <<= factor_shift;
    if (power < 0 && power >= -FINE_STEPS) {
        const Power *reciprocal = &reciprocal_powers_of_five[-power];
        return normalize(multiply_short(factor, power_mantissa(reciprocal)),
                         64 + reciprocal->exponent - factor_shift);
    }
    int row = (power - COARSE_TABLE_LOW * COARSE_STEP) / COARSE_STEP;
    int fine_power = power - (row + COARSE_TABLE_LOW) * COARSE_STEP;
    int first = fine_power < FINE_STEPS ? fine_power : FINE_STEPS;
    Uint128 fine = (Uint128)powers_of_five[first] * powers_of_five[fine_power - first];
    int fine_shift = leading_zeros_128(fine);
    Uint128 product = multiply_short(factor, fine << fine_shift);
    int exponent = 64 - fine_shift - factor_shift;
    if (row != -COARSE_TABLE_LOW) {
        const Power *coarse = &coarse_powers_of_five[row];
        product = multiply_high(product, power_mantissa(coarse));
        exponent += 128 + coarse->exponent;
    }
    return normalize(product, exponent);
}

// All digits of the number, as an integer and the power of ten that goes with it.
static int64_t collect_digits(const Decimal *decimal, impi_BigInteger *digits)
{
    if (!decimal->digits_begin) {
        impi_big_set(digits, decimal->head);
        return decimal->exponent;
    }
    // No midpoint of two doubles has more than 767 significant digits: all that matters behind them is
    // whether anything is not zero.
    const int limit = 780;
    int count = 0;
    bool rest_is_zero = true;
    int64_t exponent = decimal->full_exponent;
    impi_big_set(digits, 0);
    for (const char *c = decimal->digits_begin; c < decimal->digits_end; ++c) {
        if (*c == '.')
            continue;
        if (count == limit) {
            ++exponent;
            rest_is_zero = rest_is_zero && *c == '0';
        } else if (count || *c != '0') {
            impi_big_multiply_add(digits, 10, (uint32_t)(*c - '0'));
            ++count;
        }
    }
    if (!rest_is_zero) {
        impi_big_multiply_add(digits, 10, 1);
        --exponent;
    }
    return exponent;
}

// The sign of: the number minus factor * 2^exponent, exactly.
static int compare_with_product(const Decimal *decimal, uint64_t factor, int exponent)
{
    impi_BigInteger number, product;
    int64_t power = collect_digits(decimal, &number);
    impi_big_set(&product, factor);
    int binary = exponent - (int)power; // 10^power is 5^power * 2^power
    impi_big_multiply_power_of_five(power >= 0 ? &number : &product, (int)(power >= 0 ? power : -power));
    impi_big_shift_left(binary >= 0 ? &product : &number, binary >= 0 ? binary : -binary);
    return impi_big_compare(&number, &product);
}

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double round_scaled(const Decimal *decimal, Scaled scaled)
{
    const int mantissa_bits = 53, smallest_exponent = -1074, bias = 1023;
    int top = scaled.exponent + 127; // 2^top <= value < 2^(top + 1)
    if (top > bias)
        return INFINITY;
    bool normal = top >= smallest_exponent + mantissa_bits - 1;
    int unit = normal ? top - mantissa_bits + 1 : smallest_exponent; // log2 of the last place
    int drop = unit - scaled.exponent;

    // `head` may stand for up to 1 more than it is when digits follow.
    Uint128 error = SCALE_ERROR;
    if (decimal->digits_begin)
        error += (Uint128)1 << 70;
    if (drop > 128) {
        int extra = drop - 128 < 127 ? drop - 128 : 127;
        scaled.mantissa >>= extra;
        error = (error >> extra) + 2;
        drop = 128;
    }
    uint64_t mantissa = drop == 128 ? 0 : (uint64_t)(scaled.mantissa >> drop);
    Uint128 rest = drop == 128 ? scaled.mantissa : scaled.mantissa & (((Uint128)1 << drop) - 1);
    Uint128 half = (Uint128)1 << (drop - 1);
    bool up;
    if (rest > half) {
        up = true;
    } else if (half - rest > error) {
        up = false;
    } else {
        int sign = compare_with_product(decimal, 2 * mantissa + 1, unit - 1); // with the midpoint
        up = sign > 0 || (sign == 0 && (mantissa & 1));
    }
    // Adding the mantissa with its leading bit, and the carry of rounding, steps the exponent as it must.
    uint64_t exponent_bits = normal ? (uint64_t)(top + bias - 1) << (mantissa_bits - 1) : 0;
    return from_bits(exponent_bits + mantissa + up);
}

const double impi_exact_powers_of_ten[IMPI_EXACT_POWERS] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                            1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                            1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static double decimal_to_double(const Decimal *decimal)
{
    uint64_t head = decimal->head;
    int64_t exponent = decimal->exponent;
    if (head == 0)
        return 0.0;
    if (head <= IMPI_MAX_EXACT_INTEGER && exponent >= -22 && exponent <= 22 && !decimal->digits_begin)
        return exponent < 0 ? (double)head / impi_exact_powers_of_ten[-exponent]
                            : (double)head * impi_exact_powers_of_ten[exponent];
    if (exponent > 309)
        return INFINITY;
    if (exponent < -343 - IMPI_MAX_HEAD_DIGITS) // below half of the smallest subnormal
        return 0.0;
    Scaled scaled = scale_by_power_of_five(head, (int)exponent);
    scaled.exponent += (int)exponent;
    return round_scaled(decimal, scaled);
}

// What has been read of a number's digits.
typedef struct DigitRun {
    uint64_t head;
    int64_t dropped_count; // digits that did not fit into it
} DigitRun;

// One more digit fits into `head`, or eight more, while it is below these.
#define ROOM_FOR_ONE   1000000000000000000u
#define ROOM_FOR_EIGHT 100000000000u

static const char *take_digits(const char *c, const char *end, DigitRun *run)
{
    for (; c < end; ++c) {
        unsigned digit = (unsigned char)*c - (unsigned)'0';
        if (digit > 9)
            break;
        if (run->head < ROOM_FOR_ONE)
            run->head = 10 * run->head + digit;
        else
            ++run->dropped_count;
    }
    return c;
}

// Where the exponent ends, or `c` when there is none that is whole.
static const char *take_exponent(const char *c, const char *end, int64_t *exponent)
{
    *exponent = 0;
    if (c == end || (*c != 'e' && *c != 'E'))
        return c;
    const char *digit = c + 1;
    bool negative = digit < end && *digit == '-';
    if (digit < end && (*digit == '-' || *digit == '+'))
        ++digit;
    if (digit == end || *digit < '0' || *digit > '9')
        return c;
    for (; digit < end && *digit >= '0' && *digit <= '9'; ++digit)
        if (*exponent < EXPONENT_LIMIT)
            *exponent = 10 * *exponent + (*digit - '0');
    if (negative)
        *exponent = -*exponent;
    return digit;
}

// Any number, digit by digit.
static const char *parse_slowly(const char *begin, const char *end, double *value)
{
    const char *c = begin;
    bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+'))
        ++c;
    DigitRun run = {0};
    const char *digits_begin = c;
    c = take_digits(c, end, &run);
    int64_t whole_count = c - digits_begin, fraction_count = 0, exponent;
    if (c < end && *c == '.') {
        const char *point = c;
        c = take_digits(c + 1, end, &run);
        fraction_count = c - point - 1;
    }
    if (whole_count + fraction_count == 0)
        return NULL;
    const char *digits_end = c;
    c = take_exponent(c, end, &exponent);
    Decimal decimal = {.head = run.head,
                       .exponent = exponent - fraction_count + run.dropped_count,
                       .digits_begin = run.dropped_count ? digits_begin : NULL,
                       .digits_end = digits_end,
                       .full_exponent = exponent - fraction_count};
    double magnitude = decimal_to_double(&decimal);
    *value = negative ? -magnitude : magnitude;
    return c;
}

double impi_decimal_compose(uint64_t digits, int exponent)
{
    Decimal decimal = {.head = digits, .exponent = exponent};
    return decimal_to_double(&decimal);
}

const char *impi_decimal_parse(const char *begin, const char *end, double *value)
{
    const char *number_end = impi_decimal_parse_plain(begin, end, value);
    return number_end ? number_end : parse_slowly(begin, end, value);
}

// The number's 17 leading digits, rounded, and the power of ten of the last of them.
static uint64_t leading_digits(double value, int *exponent)
{
    const uint64_t low = 10000000000000000u; // 10^16
    int binary;
    uint64_t mantissa = (uint64_t)ldexp(frexp(value, &binary), 53);
    binary -= 53;
    // An estimate of log10 that is off by one at most, and then corrected.
    int decimal = (int)floor((binary + 52) * 0.30102999566398120);
    for (;;) {
        int power = 16 - decimal;
        Scaled scaled = scale_by_power_of_five(mantissa, power);
        int drop = -(scaled.exponent + binary + power);
        uint64_t digits = (uint64_t)(((scaled.mantissa >> (drop - 1)) + 1) >> 1);
        if (digits >= 10 * low)
            ++decimal;
        else if (digits < low)
            --decimal;
        else {
            *exponent = -power;
            return digits;
        }
    }
}

size_t impi_decimal_format_integer(uint64_t value, char text[IMPI_MAX_INTEGER_LENGTH])
{
    char reversed[IMPI_MAX_INTEGER_LENGTH];
    size_t count = 0;
    do {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    for (size_t i = 0; i < count; ++i)
        text[i] = reversed[count - 1 - i];
    return count;
}

// digits * 10^exponent, digits without trailing zeros.
static size_t format_decimal(uint64_t digits, int exponent, char *text)
{
    char mantissa[IMPI_MAX_INTEGER_LENGTH];
    size_t count = impi_decimal_format_integer(digits, mantissa), length = 0;
    int point = (int)count + exponent; // digits before the decimal point
    if (point > 17 || point < -4) {
        text[length++] = mantissa[0];
        if (count > 1) {
            text[length++] = '.';
            memcpy(text + length, mantissa + 1, count - 1);
            length += count - 1;
        }
        text[length++] = 'e';
        if (point < 1)
            text[length++] = '-';
        return length +
               impi_decimal_format_integer((uint64_t)(point < 1 ? 1 - point : point - 1), text + length);
    }
    if (point <= 0) {
        text[length++] = '0';
        text[length++] = '.';
        for (int i = point; i < 0; ++i)
            text[length++] = '0';
    }
    for (int i = 0; i < (int)count || i < point; ++i) {
        if (i == point && i > 0)
            text[length++] = '.';
        text[length++] = i < (int)count ? mantissa[i] : '0';
    }
    return length;
}

// Is the decimal less than the double, as real numbers?
static bool is_below(const Decimal *decimal, double value)
{
    int exponent;
    uint64_t mantissa = (uint64_t)ldexp(frexp(value, &exponent), 53);
    return compare_with_product(decimal, mantissa, exponent - 53) < 0;
}

// One digit more than doubles take, rounded up: less than half the last place of a double is added.
static Decimal round_up(double value, uint64_t digits, int exponent)
{
    Decimal decimal = {.head = 10 * digits - 5, .exponent = exponent - 1};
    while (is_below(&decimal, value))
        ++decimal.head;
    return decimal;
}

// The shortest candidate that reads back, with 15 digits at least; of those not below the value, if so asked.
static Decimal choose_decimal(double value, bool upward)
{
    int exponent = 0;
    uint64_t all_digits = leading_digits(value, &exponent), divisor = 100;
    for (int dropped = 2; dropped >= 0; --dropped, divisor /= 10) {
        Decimal candidate = {.head = (all_digits + divisor / 2) / divisor, .exponent = exponent + dropped};
        if (upward && is_below(&candidate, value))
            ++candidate.head;
        if (decimal_to_double(&candidate) == value)
            return candidate;
    }
    return upward ? round_up(value, all_digits, exponent)
                  : (Decimal){.head = all_digits, .exponent = exponent};
}

static size_t format_double(double value, bool upward, char text[IMPI_MAX_DECIMAL_LENGTH])
{
    size_t sign_length = signbit(value) != 0;
    if (sign_length)
        text[0] = '-';
    if (value == 0.0) {
        text[sign_length] = '0';
        return sign_length + 1;
    }
    Decimal decimal = choose_decimal(fabs(value), upward);
    while (decimal.head % 10 == 0) {
        decimal.head /= 10;
        ++decimal.exponent;
    }
    return sign_length + format_decimal(decimal.head, (int)decimal.exponent, text + sign_length);
}

size_t impi_decimal_format(double value, char text[IMPI_MAX_DECIMAL_LENGTH])
{
    return format_double(value, false, text);
}

size_t impi_decimal_format_up(double value, char text[IMPI_MAX_DECIMAL_LENGTH])
{
    return format_double(value, true, text);
}
