#include "check_listing.h"

#include "arguments.h"

static void parse_format(const Options *options, CheckListing *listing)
{
    bool csv = options_has(options, "csv"), json = options_has(options, "json");
    listing->without_faces = options_has(options, "pairs");
    listing->format = json                     ? CHECK_JSON
                      : listing->without_faces ? CHECK_PAIRS_CSV
                      : csv                    ? CHECK_CSV
                                               : CHECK_TABLE;
}

static CommandResult parse_max(const Options *options, CheckListing *listing)
{
    uint32_t max;
    const char *text = options_value(options, "max");
    listing->max_listed = listing->first_only ? 1 : SIZE_MAX;
    if (!text)
        return COMMAND_DONE;
    if (listing->without_faces || listing->format == CHECK_TABLE)
        return command_fail("--max limits the face pairs that --csv and --json list; none are listed here");
    if (!argument_integer("max", text, 1, UINT32_MAX, &max))
        return COMMAND_FAILED;
    if (max < listing->max_listed)
        listing->max_listed = max;
    return COMMAND_DONE;
}

CommandResult check_listing_parse(const Options *options, CheckListing *listing)
{
    *listing = (CheckListing){.first_only = options_has(options, "first")};
    parse_format(options, listing);
    return parse_max(options, listing);
}
