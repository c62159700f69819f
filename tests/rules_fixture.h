/// Bodies and rules for tests of rules.
#ifndef IMPINGE_TESTS_RULES_FIXTURE_H
#define IMPINGE_TESTS_RULES_FIXTURE_H

#include "mesh_files.h"
#include "playback/pair_rules.h"

typedef struct RulesFixture {
    imp_Context *context;
    impi_BodyNames *names;
    impi_Rules rules;
    impi_PairRules *bound; // null before rules_bind, and when that failed
} RulesFixture;

/// Names separated by blanks.
static inline RulesFixture rules_begin(const char *body_names)
{
    RulesFixture f = {.context = new_context()};
    const char *list[64];
    char text[512];
    size_t count = 0;
    snprintf(text, sizeof text, "%s", body_names);
    for (char *rest = NULL, *name = strtok_r(text, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        list[count++] = name;
    CHECK_INT(impi_body_names_adopt(f.context, list, count, &f.names), IMP_STATUS_OK);
    impi_rules_init(&f.rules, f.context);
    return f;
}

static inline imp_Status rules_add(RulesFixture *f, const char *text)
{
    return impi_rules_add_text(&f->rules, text, strlen(text), "rules.txt");
}

static inline imp_Status rules_bind(RulesFixture *f)
{
    impi_pair_rules_destroy(f->bound);
    f->bound = NULL;
    return impi_rules_bind(&f->rules, f->names, &f->bound);
}

static inline const char *rules_error(const RulesFixture *f)
{
    return imp_context_get_error(f->context)->message;
}

static inline void rules_end(RulesFixture *f)
{
    impi_pair_rules_destroy(f->bound);
    impi_rules_free(&f->rules);
    impi_body_names_destroy(f->names);
    imp_context_destroy(f->context);
}

#endif
