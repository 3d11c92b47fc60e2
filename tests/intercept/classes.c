/* Every method of lists that the table of calls knows is in one class, so that a recording counts
 * what works [ANN-TRUTH-07]. */
#include "classes.h"
#include "capture/trace/schema.h"

#include <criterion/criterion.h>

#include <string.h>

TestSuite(classes, .init = schema_init);

#define PASTE(iface, name)                       METHOD_##iface##_##name
#define METHOD_OF(iface, name)                   PASTE(iface, name)
#define COUNT(iface, name)                       seen[METHOD_OF(iface, name)]++;
#define COUNT_WORK(iface, name, kind, work, ...) COUNT(iface, name)

static bool is_of_a_list(const struct schema_method_row *method)
{
    return strstr(method->iface, "CommandList") && !strstr(method->iface, "Debug");
}

Test(classes, each_method_of_a_list_has_one)
{
    static int seen[SCHEMA_METHODS];
    uint32_t lists = 0;
    LIST_WORK(COUNT_WORK)
    LIST_ORDER(COUNT)
    LIST_STATE(COUNT)
    LIST_NONE(COUNT)
    for (int i = 0; i < SCHEMA_EXPORT_FIRST; i++) {
        const struct schema_method_row *method = &schema_methods[i];
        cr_expect_eq(seen[i], is_of_a_list(method),
                     "%s::%s is in %d classes of layers/d3d12/classes.h", method->iface,
                     method->name, seen[i]);
        lists += is_of_a_list(method);
    }
    cr_expect_geq(lists, 150);
}
