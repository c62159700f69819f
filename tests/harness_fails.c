// One test fails on purpose; ctest expects this program to fail.
#include "harness.h"

TEST(failing_check_is_counted)
{
    CHECK_INT(1 + 1, 3);
}

TEST(later_tests_still_run)
{
    CHECK(true);
}
