// The table of object filters: a row that is added is tested without a change here.
#include "world/filters.h"

#include "harness.h"

#include <string.h>

#define METHOD_COUNT 5

static const imp_DetectMethod methods[METHOD_COUNT] = {IMP_METHOD_AUTO, IMP_METHOD_EXACT_BOXES,
                                                       IMP_METHOD_POSED_BOXES, IMP_METHOD_SMITH_1994,
                                                       IMP_METHOD_SPHERES};

typedef impi_KindPair (*KindsFn)(const impi_Filter *filter);
typedef const impi_FiltersByKind *(*ChoiceFn)(const impi_FilterChoice *choice);

static impi_KindPair touch_kinds(const impi_Filter *filter)
{
    return filter->takes_touch;
}

static impi_KindPair face_kinds(const impi_Filter *filter)
{
    return filter->takes_faces;
}

static impi_KindPair containment_kinds(const impi_Filter *filter)
{
    return filter->takes_containment;
}

static impi_KindPair distance_kinds(const impi_Filter *filter)
{
    return filter->takes_distance;
}

static impi_KindPair sweep_kinds(const impi_Filter *filter)
{
    return filter->takes_sweep;
}

static impi_KindPair advance_kinds(const impi_Filter *filter)
{
    return filter->takes_advance;
}

static const impi_FiltersByKind *touch_choice(const impi_FilterChoice *choice)
{
    return &choice->touch;
}

static const impi_FiltersByKind *face_choice(const impi_FilterChoice *choice)
{
    return &choice->faces;
}

static const impi_FiltersByKind *containment_choice(const impi_FilterChoice *choice)
{
    return &choice->containment;
}

static const impi_FiltersByKind *distance_choice(const impi_FilterChoice *choice)
{
    return &choice->distance;
}

static const impi_FiltersByKind *sweep_choice(const impi_FilterChoice *choice)
{
    return &choice->sweep;
}

static const impi_FiltersByKind *advance_choice(const impi_FilterChoice *choice)
{
    return &choice->advance;
}

static const struct {
    KindsFn kinds;
    ChoiceFn choice;
} questions[] = {
    {touch_kinds, touch_choice},       {face_kinds, face_choice},   {containment_kinds, containment_choice},
    {distance_kinds, distance_choice}, {sweep_kinds, sweep_choice}, {advance_kinds, advance_choice}};

#define QUESTION_COUNT (sizeof questions / sizeof *questions)

static bool is_taken(impi_KindPair kinds, unsigned a, unsigned b)
{
    uint32_t bit_a = 1u << a, bit_b = 1u << b;
    return ((kinds.one & bit_a) != 0 && (kinds.other & bit_b) != 0) ||
           ((kinds.one & bit_b) != 0 && (kinds.other & bit_a) != 0);
}

TEST(every_row_has_a_name_of_its_own)
{
    for (size_t i = 0; i < IMPI_FILTER_COUNT; ++i) {
        if (!CHECK(impi_filters[i] && impi_filters[i]->name && impi_filters[i]->name[0]))
            continue;
        CHECK(strspn(impi_filters[i]->name, "abcdefghijklmnopqrstuvwxyz0123456789-") ==
              strlen(impi_filters[i]->name));
        for (size_t k = 0; k < i; ++k) {
            CHECK(strcmp(impi_filters[i]->name, impi_filters[k]->name) != 0);
            CHECK(impi_filters[i]->method == IMP_METHOD_AUTO ||
                  impi_filters[i]->method != impi_filters[k]->method);
        }
    }
}

TEST(every_row_can_run_and_answers_something)
{
    for (size_t i = 0; i < IMPI_FILTER_COUNT; ++i) {
        const impi_Filter *filter = impi_filters[i];
        bool takes_any = filter->takes_budget.one && filter->takes_budget.other;
        for (size_t q = 0; q < QUESTION_COUNT; ++q) {
            impi_KindPair kinds = questions[q].kinds(filter);
            takes_any |= kinds.one && kinds.other;
            CHECK(!kinds.one == !kinds.other);
            CHECK(((kinds.one | kinds.other) & ~IMPI_ANY_KIND) == 0);
        }
        CHECK(takes_any);
        CHECK(filter->run != NULL);
        CHECK(filter->memory_size == 0 || filter->release_memory != NULL);
    }
}

TEST(every_method_has_a_name)
{
    for (size_t i = 0; i < METHOD_COUNT; ++i) {
        const impi_Filter *filter = impi_filter_of(methods[i]);
        const char *name = imp_method_name(methods[i]);
        CHECK((filter != NULL) == (methods[i] != IMP_METHOD_AUTO));
        CHECK((name != NULL) == (methods[i] != IMP_METHOD_AUTO));
        if (filter && name) {
            CHECK_TEXT(name, filter->name);
            CHECK_INT(filter->method, methods[i]);
        }
    }
    CHECK_TEXT(imp_method_name(IMP_METHOD_POSED_BOXES), "posed-boxes");
    CHECK(!imp_method_name((imp_DetectMethod)METHOD_COUNT) && !imp_method_name((imp_DetectMethod)1000));
    CHECK(!impi_filter_of((imp_DetectMethod)METHOD_COUNT));
}

// The first row of the table that takes the kinds.
static uint32_t preferred(KindsFn kinds, unsigned a, unsigned b)
{
    uint32_t i = 0;
    while (i < IMPI_FILTER_COUNT && !is_taken(kinds(impi_filters[i]), a, b))
        ++i;
    return i;
}

TEST(every_question_has_an_answer_for_all_kinds)
{
    uint64_t named = 0, others = 0;
    for (size_t m = 0; m < METHOD_COUNT; ++m) {
        impi_FilterChoice choice;
        const impi_Filter *filter = impi_filter_of(methods[m]);
        impi_filters_choose(methods[m], &choice);
        for (size_t q = 0; q < QUESTION_COUNT; ++q)
            for (unsigned a = 0; a < IMPI_SHAPE_KIND_COUNT; ++a)
                for (unsigned b = 0; b < IMPI_SHAPE_KIND_COUNT; ++b) {
                    uint32_t chosen = questions[q].choice(&choice)->filters[a][b];
                    if (!CHECK(chosen < IMPI_FILTER_COUNT))
                        continue;
                    CHECK(is_taken(questions[q].kinds(impi_filters[chosen]), a, b));
                    CHECK_INT(chosen, questions[q].choice(&choice)->filters[b][a]);
                    bool is_named = filter && is_taken(questions[q].kinds(filter), a, b);
                    if (is_named)
                        CHECK(impi_filters[chosen] == filter);
                    else
                        CHECK_INT(chosen, preferred(questions[q].kinds, a, b));
                    named += is_named;
                    others += filter && !is_named;
                }
    }
    CHECK(named > 0 && others > 0);
}

// What a mesh and a solid are asked for by default, by name: the order of the table is the preference.
TEST(defaults)
{
    impi_FilterChoice choice;
    impi_filters_choose(IMP_METHOD_AUTO, &choice);
    const unsigned mesh = IMPI_SHAPE_MESH, convex = IMPI_SHAPE_CONVEX;
    CHECK_TEXT(impi_filters[choice.touch.filters[mesh][mesh]]->name, "posed-boxes");
    CHECK_TEXT(impi_filters[choice.faces.filters[mesh][mesh]]->name, "posed-boxes");
    CHECK_TEXT(impi_filters[choice.faces.filters[convex][convex]]->name, "posed-boxes");
    CHECK(choice.touch.filters[convex][convex] != choice.faces.filters[convex][convex]);
    CHECK(choice.touch.filters[convex][mesh] != choice.faces.filters[convex][mesh]);
}
