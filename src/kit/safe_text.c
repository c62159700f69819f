#include "kit/safe_text.h"

#include "base/utf8.h"

#include <string.h>

void impi_text_put_shown(impi_Text *output, const char *text)
{
    while (*text) {
        char shown[IMPI_MAX_SHOWN];
        size_t size = impi_show_character(&text, shown);
        impi_text_append(output, shown, size);
    }
}

bool impi_text_begin_shown(impi_Text *shown, const char *text)
{
    impi_text_begin(shown);
    impi_text_put_shown(shown, text);
    impi_text_append(shown, "", 1);
    return !shown->out_of_memory;
}

void impi_text_put_csv_field(impi_Text *output, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        impi_text_put(output, text);
        return;
    }
    impi_text_put(output, "\"");
    for (; *text; ++text)
        impi_text_append(output, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    impi_text_put(output, "\"");
}

static const char *xml_entity(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

// U+FFFE and U+FFFF are UTF-8, but no characters of XML.
static bool is_no_xml(const char *shown, size_t size)
{
    return size == 3 && (memcmp(shown, "\xEF\xBF\xBE", 3) == 0 || memcmp(shown, "\xEF\xBF\xBF", 3) == 0);
}

void impi_text_put_xml(impi_Text *output, const char *text)
{
    while (*text) {
        char shown[IMPI_MAX_SHOWN];
        size_t size = impi_show_character(&text, shown);
        const char *entity = size == 1 ? xml_entity(shown[0]) : NULL;
        if (entity)
            impi_text_put(output, entity);
        else if (is_no_xml(shown, size))
            impi_text_put(output, "\xEF\xBF\xBD");
        else
            impi_text_append(output, shown, size);
    }
}

bool impi_is_plain_utf8(const char *text)
{
    uint32_t code;
    for (size_t size; *text; text += size) {
        size = impi_utf8_read(text, &code);
        if (size == 0 || (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef))
            return false;
    }
    return true;
}
