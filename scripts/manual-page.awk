# A page of the manual, from Markdown to what `man` shows (the macros of man(7)).
#   LC_ALL=C awk -v version=0.1.0 -v date=2026-01-31 -v pages="impinge impinge-check" -f manual-page.awk PAGE.md
# `pages` are those to refer to at the end. It knows what the manual is written in: a title and a line about it, the
# synopsis as the first block of code, then sections, paragraphs, lists, tables, blocks of code, links, emphasis.
# Pictures are left out; of links to other pages the text remains. What stands in the first column of a table is
# explained by the others.

function escape(text) {
    gsub(/\\/, "\\e", text)
    return text
}

# Code is to be copied: dashes are minus signs, quotes are straight.
function escape_code(text) {
    text = escape(text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    gsub(/`/, "\\(ga", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    return text
}

# A line that begins with a dot or a quote would be taken for a macro.
function put(line) {
    if (line ~ /^[.']/)
        line = "\\&" line
    print line
}

# The position of `mark` in `text` from `start` on, or 0.
function find(text, mark, start,    place) {
    place = index(substr(text, start), mark)
    return place ? place + start - 1 : 0
}

# A link or picture at the beginning of `text`. Sets link_text, link_target and link_length.
function is_link(text,    middle, end) {
    if (substr(text, 1, 1) != "[" || !(middle = find(text, "](", 2)) || !(end = find(text, ")", middle)))
        return 0
    link_text = substr(text, 2, middle - 2)
    link_target = substr(text, middle + 2, end - middle - 2)
    link_length = end
    return 1
}

# What stands between two `mark`s at the beginning of `text`; sets span_length. Empty if there is no second one, or
# if what follows is no word.
function span(text, mark,    end) {
    end = find(text, mark, length(mark) + 1)
    if (!end || substr(text, length(mark) + 1, 1) == " ")
        return ""
    span_length = end + length(mark) - 1
    return substr(text, length(mark) + 1, end - length(mark) - 1)
}

function inline(text,    result, letter, inner, target) {
    result = ""
    while (text != "") {
        letter = substr(text, 1, 1)
        if (letter == "`" && (inner = span(text, "`")) != "") {
            result = result "\\fB" escape_code(inner) "\\fR"
            text = substr(text, span_length + 1)
        } else if (letter == "!" && is_link(substr(text, 2))) {
            text = substr(text, link_length + 2)
        } else if (is_link(text)) {
            inner = link_text
            target = link_target
            text = substr(text, link_length + 1)
            result = result inline(inner) (target ~ /^https?:/ ? " (" escape_code(target) ")" : "")
        } else if (substr(text, 1, 2) == "**" && (inner = span(text, "**")) != "") {
            text = substr(text, span_length + 1)
            result = result "\\fB" inline(inner) "\\fR"
        } else if (letter == "*" && (inner = span(text, "*")) != "") {
            text = substr(text, span_length + 1)
            result = result "\\fI" inline(inner) "\\fR"
        } else {
            result = result escape(letter)
            text = substr(text, 2)
        }
    }
    return result
}

# Lines of at most 78 bytes.
function fill(text,    count, words, i, line) {
    count = split(text, words, " ")
    line = ""
    for (i = 1; i <= count; ++i) {
        if (line != "" && length(line) + length(words[i]) > 77) {
            put(line)
            line = ""
        }
        line = line (line == "" ? "" : " ") words[i]
    }
    if (line != "")
        put(line)
}

function begin_page(title,    name) {
    name = title
    gsub(/ /, "-", name)
    page_name = name
    printf ".\\\" Made from docs/manual/%s.md\n", name
    printf ".TH %s 1 %s \"impinge %s\" \"User Commands\"\n", escape_code(toupper(name)), date, version
    print ".SH NAME"
    state = "name"
}

function put_name(text) {
    sub(/\.$/, "", text)
    fill(escape_code(page_name) " \\- " tolower(substr(text, 1, 1)) inline(substr(text, 2)))
    state = "synopsis"
}

# The gathered lines of a paragraph.
function end_paragraph(    text) {
    text = paragraph
    paragraph = ""
    if (text == "")
        return
    if (state == "name") {
        put_name(text)
        return
    }
    if (state == "described") {
        print ".SH DESCRIPTION"
        state = "section"
        fresh = 1
    }
    text = inline(text)
    if (text ~ /^ *$/) # a picture
        return
    if (item != "")
        print item
    else if (!fresh)
        print ".PP"
    item = ""
    fresh = 0
    fill(text)
}

function end_table() {
    in_table = 0
}

function put_row(line,    count, cells, i, body) {
    gsub(/\\\|/, "\001", line)
    sub(/^\| */, "", line)
    sub(/ *\| *$/, "", line)
    count = split(line, cells, / *\| */)
    for (i = 1; i <= count; ++i)
        gsub(/\001/, "|", cells[i])
    if (!in_table) {
        in_table = 1
        for (i = 1; i <= count; ++i)
            heads[i] = cells[i]
        return
    }
    body = count > 1 ? cells[2] : ""
    if (count > 2) {
        body = heads[2] ": " cells[2]
        for (i = 3; i <= count; ++i)
            body = body "; " heads[i] ": " cells[i]
    }
    print ".TP"
    put(inline(cells[1]))
    fill(inline(body))
    fresh = 0
}

function begin_code() {
    in_code = 1
    if (state == "synopsis") {
        print ".SH SYNOPSIS"
    } else if (!fresh) {
        print ".PP"
    }
    if (state != "synopsis")
        print ".RS 4"
    print ".nf"
}

function end_code() {
    in_code = 0
    print ".fi"
    if (state == "synopsis")
        state = "described"
    else
        print ".RE"
    fresh = 0
}

/^```/ && !in_code { end_paragraph(); end_table(); begin_code(); next }
/^```/ { end_code(); next }
in_code { put(escape_code($0)); next }

/^# / { begin_page(substr($0, 3)); next }
/^## Synopsis$/ { end_paragraph(); next }
/^##+ / {
    end_paragraph()
    end_table()
    title = $0
    sub(/^#+ /, "", title)
    print (substr($0, 1, 3) == "## " ? ".SH " toupper(inline(title)) : ".SS " inline(title))
    state = "section"
    fresh = 1
    next
}
/^\|[-| :]*\|$/ && in_table { next }
/^\|/ { end_paragraph(); put_row($0); next }
/^- / { end_paragraph(); item = ".IP \\(bu 2"; paragraph = substr($0, 3); next }
/^[0-9]+\. / { end_paragraph(); item = ".IP " $1 " 4"; paragraph = substr($0, length($1) + 2); next }
/^[ \t]*$/ { end_paragraph(); end_table(); next }
{ end_table(); sub(/^ +/, ""); paragraph = paragraph (paragraph == "" ? "" : " ") $0 }

END {
    end_paragraph()
    print ".SH SEE ALSO"
    count = split(pages, others, " ")
    list = ""
    for (i = 1; i <= count; ++i)
        if (others[i] != page_name)
            list = list (list == "" ? "" : ", ") "\\fB" escape_code(others[i]) "\\fR(1)"
    fill(list)
}
