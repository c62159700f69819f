#include "kit/picture_style.h"

#include "geom/vector.h"

#include <math.h>

static const impi_Rgb plain_colours[IMPI_COLOUR_COUNT] = {
    [IMPI_COLOUR_BY_PLACE] = {160, 160, 160},   [IMPI_COLOUR_BLUE] = {128, 163, 205},
    [IMPI_COLOUR_SAND] = {226, 199, 146},       [IMPI_COLOUR_GREEN] = {150, 192, 142},
    [IMPI_COLOUR_MAUVE] = {188, 160, 204},      [IMPI_COLOUR_TEAL] = {120, 190, 186},
    [IMPI_COLOUR_GREY] = {190, 190, 188},       [IMPI_COLOUR_TOUCH] = {228, 62, 38},
    [IMPI_COLOUR_TOUCH_OTHER] = {240, 130, 30},
};

// Brightness runs from the darkest shade to a light that bleaches the colour a little.
#define DARKEST   0.40
#define BRIGHTEST 1.25

static double brightness_of_level(uint32_t level)
{
    return DARKEST + (BRIGHTEST - DARKEST) * level / (IMPI_BRIGHTNESS_LEVELS - 1);
}

typedef struct Light {
    double right, up, toward; // a direction as the camera has it, of unit length
    double power;
} Light;

// A main light over the left shoulder of the onlooker, a weak one from the right, and the sky.
#define AMBIENT 0.44
static const Light lights[] = {{-0.45, 0.60, 0.66, 0.66}, {0.80, 0.10, 0.59, 0.20}, {0.0, 1.0, 0.0, 0.12}};

// Faces seen from behind are lit as if turned over. Those that turn away only just, at the rim of a round
// body, keep the light of their neighbours.
#define EDGE_ON 0.15

// Of unit length; straight to the eye for a triangle without area.
static imp_Vec3 normal_of(const impi_Camera *camera, const imp_Vec3 corners[3])
{
    imp_Vec3 o = impi_camera_point(camera, corners[0]), p = impi_camera_point(camera, corners[1]);
    imp_Vec3 q = impi_camera_point(camera, corners[2]);
    imp_Vec3 n = impi_cross(impi_subtract(p, o), impi_subtract(q, o));
    double length = sqrt(impi_dot(n, n));
    return length > 0 ? (imp_Vec3){n.x / length, n.y / length, n.z / length} : (imp_Vec3){0, 0, 1};
}

uint32_t impi_style_of_face(const impi_Camera *camera, const imp_Vec3 corners[3], impi_Colour colour)
{
    imp_Vec3 n = normal_of(camera, corners);
    double side = n.z < -EDGE_ON ? -1 : 1, brightness = AMBIENT;
    for (size_t i = 0; i < sizeof lights / sizeof *lights; ++i) {
        double facing = side * ((lights[i].right * n.x + lights[i].up * n.y) + lights[i].toward * n.z);
        brightness += lights[i].power * fmax(0, facing);
    }
    // What stands out is lit more evenly, lest it drown in the shade.
    if (colour >= IMPI_COLOUR_TOUCH)
        brightness = 0.55 + 0.45 * brightness;
    double level = (brightness - DARKEST) / (BRIGHTEST - DARKEST) * (IMPI_BRIGHTNESS_LEVELS - 1);
    level = fmin(fmax(floor(level + 0.5), 0), IMPI_BRIGHTNESS_LEVELS - 1);
    return (uint32_t)colour * IMPI_BRIGHTNESS_LEVELS + (uint32_t)level;
}

static uint8_t lit_channel(uint8_t plain, double brightness)
{
    double value = brightness <= 1 ? plain * brightness : plain + (255 - plain) * (brightness - 1);
    return (uint8_t)(value + 0.5);
}

impi_Rgb impi_colour_plain(impi_Colour colour)
{
    return plain_colours[colour];
}

impi_Rgb impi_style_fill(uint32_t style)
{
    impi_Rgb plain = plain_colours[style / IMPI_BRIGHTNESS_LEVELS];
    double brightness = brightness_of_level(style % IMPI_BRIGHTNESS_LEVELS);
    return (impi_Rgb){lit_channel(plain.red, brightness), lit_channel(plain.green, brightness),
                      lit_channel(plain.blue, brightness)};
}

impi_Rgb impi_style_edge(uint32_t style, double strength)
{
    impi_Rgb fill = impi_style_fill(style);
    double kept = 1 - strength;
    return (impi_Rgb){lit_channel(fill.red, kept), lit_channel(fill.green, kept),
                      lit_channel(fill.blue, kept)};
}
