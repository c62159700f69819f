/// Text from files and arguments, put so that it is nothing but text where it goes.
#ifndef IMPINGE_KIT_SAFE_TEXT_H
#define IMPINGE_KIT_SAFE_TEXT_H

#include "base/shown_text.h"
#include "kit/text.h"

/// For people: terminals, tables and messages. What is not shown as it is becomes \x1b or \u202e, as
/// base/shown_text.h says.
void impi_text_put_shown(impi_Text *output, const char *text);

/// A text of its own with what is shown and a final zero; free it in any case. False when out of memory.
bool impi_text_begin_shown(impi_Text *shown, const char *text);

/// A field of CSV (RFC 4180): in quotes where it holds a comma, a quote or an end of line, and as it is
/// otherwise. Programs read back the same bytes.
void impi_text_put_csv_field(impi_Text *output, const char *text);

/// Content of an element or attribute of XML 1.0, also inside of HTML. Shown as for people, because XML can't
/// hold control characters even by reference.
void impi_text_put_xml(impi_Text *output, const char *text);

/// Is it well-formed UTF-8 without codes that are no characters, as U+FFFF? Then JSON and YAML read back the
/// same, and XML unless it has control characters.
bool impi_is_plain_utf8(const char *text);

#endif
