#include "base/clock.h"
#include "harness.h"

#include <time.h>

TEST(time_never_goes_backwards)
{
    uint64_t last = impi_clock_ns();
    for (int i = 0; i < 100000; ++i) {
        uint64_t now = impi_clock_ns();
        CHECK(now >= last);
        last = now;
    }
}

TEST(unit_is_the_nanosecond)
{
    struct timespec pause = {0, 2000000};
    uint64_t start = impi_clock_ns();
    nanosleep(&pause, NULL);
    CHECK(impi_clock_ns() - start >= 2000000);
}
