#include "filter.h"

#include "cli.h"

#include <string.h>

/* Returns the days from 1970-01-01 to a day of the Gregorian calendar; years begin in March. */
static int64_t days_of(int year, int month, int day)
{
    year -= month <= 2;
    const int64_t era = year / 400, of_era = year - era * 400;
    const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool read_time(const char *text, uint64_t *out)
{
    int year, month, day, hour = 0, minute = 0, second = 0, used = 0, more = 0;
    if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &used) != 3 || year < 1970)
        return false;
    if (text[used] && sscanf(text + used, "%*[ T]%2d:%2d%n", &hour, &minute, &more) == 2) {
        used += more;
        if (text[used] && sscanf(text + used, ":%2d%n", &second, &more) == 1)
            used += more;
    }
    if (text[used] || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 23 ||
        minute < 0 || minute > 59 || second < 0 || second > 60)
        return false;
    *out = (uint64_t)(days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second) *
           1000000000u;
    return true;
}

bool filter_read(struct filter *filter, const char *command)
{
    const char *wrong = NULL;
    if (filter->fact && !strchr(filter->fact, '='))
        return cli_complain(command, "--fact needs KEY=GLOB; unusable:", filter->fact), false;
    if (filter->since_text && !read_time(filter->since_text, &filter->since))
        wrong = filter->since_text;
    else if (filter->until_text && !read_time(filter->until_text, &filter->until))
        wrong = filter->until_text;
    if (wrong)
        cli_complain(command,
                     "a time must be YYYY-MM-DD or \"YYYY-MM-DD hh:mm:ss\"; unusable:", wrong);
    return !wrong;
}

static bool is_like(const char *glob, const char *text)
{
    return !glob || glob_fits(glob, text ? text : "");
}

const char *fact_value(const char *facts, const char *key, size_t size)
{
    for (const char *at = facts; at && *at; at = strchr(at, '\n'), at += at != NULL)
        if (strncmp(at, key, size) == 0 && at[size] == '\t')
            return at + size + 1;
    return NULL;
}

static bool has_fact(const char *wanted, const char *facts)
{
    char value[256];
    const size_t size = strcspn(wanted, "=");
    const char *found = fact_value(facts, wanted, size);
    if (found)
        snprintf(value, sizeof value, "%.*s", (int)strcspn(found, "\n"), found);
    return found && glob_fits(wanted + size + 1, value);
}

bool filter_matches(const struct filter *filter, const struct filtered *of)
{
    return (!filter->since || of->time >= filter->since) &&
           (!filter->until || (of->time > 0 && of->time < filter->until)) &&
           is_like(filter->version, of->version) && is_like(filter->driver, of->driver) &&
           is_like(filter->application, of->application) && is_like(filter->adapter, of->adapter) &&
           (!filter->fact || has_fact(filter->fact, of->facts));
}
