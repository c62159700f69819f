#include "kit/page_stream.h"

#include "io/byte_order.h"

#include <float.h>
#include <math.h>

imp_Status impi_page_stream_open(imp_Context *context, const char *path, impi_PageStream *stream)
{
    *stream = (impi_PageStream){0};
    stream->status = impi_atomic_file_open(context, path, &stream->file);
    return stream->status;
}

imp_Status impi_page_stream_close(impi_PageStream *stream, bool keep)
{
    if (stream->status != IMP_STATUS_OK || !keep) {
        impi_atomic_file_abort(&stream->file);
        return stream->status;
    }
    return impi_atomic_file_commit(&stream->file);
}

void impi_page_put_text(impi_PageStream *stream, const char *text, size_t size)
{
    if (stream->status == IMP_STATUS_OK)
        stream->status = impi_atomic_file_write(&stream->file, text, size);
}

static void put_group(impi_PageStream *stream)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t group = stream->group;
    const char text[4] = {digits[group >> 18], digits[group >> 12 & 63], digits[group >> 6 & 63],
                          digits[group & 63]};
    impi_page_put_text(stream, text, sizeof text);
    stream->group = 0;
    stream->grouped = 0;
}

static void put_byte(impi_PageStream *stream, unsigned char byte)
{
    stream->group = stream->group << 8 | byte;
    ++stream->number_bytes;
    if (++stream->grouped == 3)
        put_group(stream);
}

void impi_page_put_u16(impi_PageStream *stream, uint16_t number)
{
    put_byte(stream, (unsigned char)(number & 255));
    put_byte(stream, (unsigned char)(number >> 8));
}

void impi_page_put_u32(impi_PageStream *stream, uint32_t number)
{
    impi_page_put_u16(stream, (uint16_t)(number & 0xFFFF));
    impi_page_put_u16(stream, (uint16_t)(number >> 16));
}

void impi_page_put_float(impi_PageStream *stream, double number)
{
    // fmin and fmax also turn what is no number into one.
    unsigned char bytes[sizeof(float)];
    impi_store_float(bytes, (float)fmax(-FLT_MAX, fmin(number, FLT_MAX)), IMPI_HOST_IS_BIG_ENDIAN);
    for (size_t i = 0; i < sizeof bytes; ++i)
        put_byte(stream, bytes[i]);
}

void impi_page_put_varint(impi_PageStream *stream, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        put_byte(stream, (unsigned char)(128 | (number & 127)));
    put_byte(stream, (unsigned char)number);
}

void impi_page_align_numbers(impi_PageStream *stream)
{
    while (stream->number_bytes % 4 != 0)
        put_byte(stream, 0);
}

void impi_page_end_numbers(impi_PageStream *stream)
{
    // The reader knows how many bytes it needs, so zeros do instead of padding characters.
    while (stream->grouped != 0)
        put_byte(stream, 0);
}
