/*
 * You will see what a dump contains about the hang, in a few lines that a crash reporter could
 * send:
 *
 *     $ read_dump hang.annotdmp
 *     hang on libannot emulator, driver reference: GPU timeout: no progress for 2.000 s
 *     Graphics queue stopped in: Frame 7 / Shadow pass / Cascade 2
 *       finished          Character "thief", 20.0 m
 *       finished          Character "guard", 22.5 m
 *       not started     Cascade 3
 */
#include <annot/dump.h>
#include <annot/reader.h>

#include <stdio.h>
#include <string.h>

static void print_text(annot_text text)
{
    for (size_t i = 0; i < text.size; i++) /* a dump's bytes are anybody's: no control characters */
        putchar((unsigned char)text.data[i] < ' ' ? '?' : text.data[i]);
}

static void print_object(const annot_reader *reader, uint32_t stream)
{
    annot_reader_stream s;
    annot_reader_object object;
    if (annot_reader_stream_at(reader, stream, &s) &&
        annot_reader_object_find(reader, s.object, &object) && object.name.size != 0)
        print_text(object.name);
    else
        printf("a queue");
}

/* The markers of the list that stopped, around the one where it did. */
static void print_surroundings(const annot_reader *reader, const annot_reader_stop *stop)
{
    const uint32_t middle = stop->started;
    for (uint32_t entry = middle < 3 ? 0 : middle - 3; entry <= middle + 3; entry++) {
        char name[128];
        annot_reader_entry e, m;
        if (!annot_reader_entry_at(reader, entry, &e) ||
            !annot_reader_entry_at(reader, middle, &m) || e.stream != m.stream ||
            (e.kind != ANNOT_ENTRY_BEGIN && e.kind != ANNOT_ENTRY_SET))
            continue;
        annot_reader_entry_name(reader, entry, name, sizeof name);
        printf("  %-12s  %*s%s\n",
               annot_state_text(
                   annot_reader_state(reader, stop->execution, stop->bundle, entry, NULL)),
               2 * (int)(e.depth < 16 ? e.depth : 16), "", name);
    }
}

int main(int argc, char **argv)
{
    annot_reader *reader = NULL;
    annot_reader_device device;
    const bool is_help = argc == 2 && strcmp(argv[1], "--help") == 0;
    if (argc != 2 || is_help) {
        fprintf(is_help ? stdout : stderr, "usage: read_dump DUMP\n");
        return is_help ? 0 : 2;
    }
    annot_result result = annot_reader_open_file(NULL, argv[1], &reader);
    if (!reader) {
        fprintf(stderr, "%s: %s\n", argv[1], annot_result_text(result));
        return 1;
    }
    annot_reader_get_device(reader, &device);
    printf("%s on ", device.error == ANNOT_DEVICE_ERROR_HUNG ? "hang" : "error");
    print_text(device.adapter);
    printf(": ");
    print_text(device.reason);
    printf("\n");
    for (size_t i = 0; i < annot_reader_stop_count(reader); i++) {
        char path[512];
        annot_reader_stop stop;
        annot_reader_stop_at(reader, i, &stop);
        annot_reader_stop_path(reader, i, path, sizeof path);
        print_object(reader, stop.queue);
        printf(" stopped in: %s\n", path[0] ? path : "no marker");
        print_surroundings(reader, &stop);
    }
    for (size_t i = 0; i < annot_reader_finding_count(reader); i++) {
        annot_finding finding;
        annot_reader_finding(reader, i, &finding);
        printf("note: %s\n", finding.text);
    }
    annot_reader_close(reader);
    return 0;
}
