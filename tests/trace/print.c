/* Texts of a trace on a terminal: readable as they are, and inert [ANN-TRACE-01]. */
#include <capture/trace/print.h>

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

static void expect_text(const char *text, const char *expected)
{
    char *shown = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&shown, &size);
    cr_assert(file);
    trace_print_text(file, text, strlen(text));
    fclose(file);
    cr_expect_str_eq(shown, expected);
    free(shown);
}

Test(trace_text, characters_of_any_length_are_shown_as_they_are)
{
    expect_text("a", "\"a\"");
    expect_text("\xc3\xa4", "\"\xc3\xa4\"");
    expect_text("\xe2\x82\xac", "\"\xe2\x82\xac\"");
}

/* JSON has 16 bits to an escape, and a terminal may not know the plane. */
Test(trace_text, characters_beyond_the_first_plane_are_one_character)
{
    expect_text("\xf0\x9f\x8e\xae!", "\"\xf0\x9f\x8e\xae!\"");
}

Test(trace_text, control_characters_are_escaped)
{
    expect_text("\x1b[2J\n\x7f", "\"\\u001b[2J\\u000a\\u007f\"");
    expect_text("\xc2\x9b", "\"\\u009b\"");
}

/* Trojan source: what turns the direction of the text around it. */
Test(trace_text, direction_characters_are_escaped)
{
    expect_text("\xe2\x80\xae", "\"\\u202e\"");
    expect_text("\xe2\x81\xa6", "\"\\u2066\"");
}

Test(trace_text, bytes_that_are_no_character_are_escaped_one_by_one)
{
    expect_text("\xff", "\"\\udcff\"");
    expect_text("\xc0\xaf", "\"\\udcc0\\udcaf\"");
    expect_text("\xe2\x82", "\"\\udce2\\udc82\"");
    expect_text("\xed\xa0\x80", "\"\\udced\\udca0\\udc80\"");
    expect_text("\xf4\x90\x80\x80", "\"\\udcf4\\udc90\\udc80\\udc80\"");
}
