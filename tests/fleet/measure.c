/*
 * How many signatures one fault gets, and how many faults share one: each fault of the corpus is
 * played many times, and the buckets are counted.
 *
 *     fleet-measure [--unseen] [--runs N] [--seed N] [--no-breadcrumbs] [--keep DIR]
 *                   [--max-buckets X] [--max-shared PERCENT]
 *
 * Prints a table: of the first game, or of the second one, which the rules were not tuned to
 * (--unseen). --keep leaves the dumps in DIR.
 *
 * One run in ten is cut at a random byte. Exit code 1: more buckets or sharing than that.
 */
#include "corpus.h"

#include <annot/fleet.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct bucket {
    char id[ANNOT_SIGNATURE_ID_MAX], title[ANNOT_SIGNATURE_TITLE_MAX];
    uint32_t *runs; /* by fault */
    uint32_t all;
    UT_hash_handle hh;
};

struct tally {
    uint32_t runs, cut, full, weak, damaged, none, missing;
};

static struct options {
    uint32_t runs;
    uint64_t seed;
    bool breadcrumbs, is_verbose;
    double max_buckets, max_shared;
    const char *keep;
    bool is_unseen;
} options = {500, 1, true, false, 1e9, 100, NULL, false};

static size_t first_fault(void)
{
    return options.is_unseen ? corpus_fault_first_unseen() : 0;
}

static size_t end_fault(void)
{
    return options.is_unseen ? corpus_fault_count() : corpus_fault_first_unseen();
}

static struct bucket *buckets;
static struct tally *tallies;

static void count(size_t fault, const annot_signature *signature)
{
    struct bucket *bucket;
    HASH_FIND_STR(buckets, signature->id, bucket);
    if (!bucket) {
        bucket = calloc(1, sizeof *bucket);
        bucket->runs = calloc(corpus_fault_count(), sizeof *bucket->runs);
        strcpy(bucket->id, signature->id);
        strcpy(bucket->title, signature->title);
        HASH_ADD_STR(buckets, id, bucket);
    }
    bucket->runs[fault]++;
    bucket->all++;
}

static char *read_file(const char *path, size_t *size)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &status) != 0)
        return NULL;
    char *bytes = malloc((size_t)status.st_size);
    *size = fread(bytes, 1, (size_t)status.st_size, file);
    fclose(file);
    return bytes;
}

static void look(size_t fault, uint32_t run, const char *path)
{
    struct tally *tally = &tallies[fault];
    annot_signature signature;
    annot_reader *reader = NULL;
    size_t size = 0;
    char *bytes = read_file(path, &size);
    tally->runs++;
    if (!bytes) {
        tally->missing++;
        return;
    }
    if (run % 10 == 9) {
        size = size * ((run * 7919u) % 1000) / 1000;
        tally->cut++;
        if (options.keep && truncate(path, (off_t)size) != 0)
            perror(path);
    }
    annot_reader_open_memory(NULL, bytes, size, &reader);
    if (reader) {
        annot_reader_signature(reader, &signature);
        annot_reader_close(reader);
        tally->full += signature.quality == ANNOT_SIGNATURE_FULL;
        tally->weak += annot_signature_is_weak(signature.quality);
        tally->damaged += signature.quality == ANNOT_SIGNATURE_DAMAGED;
        tally->none += signature.quality == ANNOT_SIGNATURE_NO_WORK ||
                       signature.quality == ANNOT_SIGNATURE_NO_ERROR;
        if (signature.id[0])
            count(fault, &signature);
    } else {
        tally->damaged++;
    }
    free(bytes);
}

static void play(size_t fault, const char *folder)
{
    char path[4096];
    for (uint32_t i = 0; i < options.runs; i++) {
        const struct corpus_run run = {options.seed * 1000000 + i, options.breadcrumbs};
        snprintf(path, sizeof path, "%s/%s-%05" PRIu32 ".annotdmp", folder,
                 corpus_fault_name(fault), i);
        if (!corpus_play(fault, &run, path))
            fprintf(stderr, "no dump of %s, run %" PRIu32 ", driver %s\n", corpus_fault_name(fault),
                    i, corpus_driver(run.seed));
        look(fault, i, path);
        if (!options.keep)
            remove(path);
    }
}

/* The bucket that most runs of a fault fell into. */
static const struct bucket *main_bucket(size_t fault)
{
    const struct bucket *best = NULL;
    for (const struct bucket *b = buckets; b; b = b->hh.next)
        if (b->runs[fault] > 0 && (!best || b->runs[fault] > best->runs[fault]))
            best = b;
    return best;
}

static bool report(void)
{
    uint64_t signed_runs = 0, shared = 0, used = 0;
    printf("| fault | runs | cut | full | weak | none | buckets | in the largest | of other faults "
           "there |\n|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = first_fault(); i < end_fault(); i++) {
        const struct tally *t = &tallies[i];
        const struct bucket *largest = main_bucket(i);
        uint32_t own = 0, of_others = 0;
        for (const struct bucket *b = buckets; b; b = b->hh.next)
            own += b->runs[i] > 0;
        if (largest)
            of_others = largest->all - largest->runs[i];
        printf("| %s | %u | %u | %u | %u | %u | %u | %u | %u |\n", corpus_fault_name(i), t->runs,
               t->cut, t->full, t->weak, t->damaged + t->none + t->missing, own,
               largest ? largest->runs[i] : 0, of_others);
        used += own;
        signed_runs += t->full + t->weak;
    }
    uint32_t shared_buckets = 0;
    for (const struct bucket *b = buckets; b; b = b->hh.next) {
        uint32_t most = 0, users = 0;
        for (size_t i = first_fault(); i < end_fault(); i++) {
            most = b->runs[i] > most ? b->runs[i] : most;
            users += b->runs[i] > 0;
        }
        shared += b->all - most;
        shared_buckets += users > 1;
        if (options.is_verbose) {
            printf("%s %u %s\n", b->id, b->all, b->title);
            for (size_t i = first_fault(); i < end_fault(); i++)
                if (b->runs[i] > 0)
                    printf("    %5u %s\n", b->runs[i], corpus_fault_name(i));
        }
    }
    const size_t faults = end_fault() - first_fault();
    const double per_fault = (double)used / (double)faults;
    const double percent = signed_runs ? 100.0 * (double)shared / (double)signed_runs : 100;
    printf("\n%zu faults, %" PRIu64 " dumps with a signature: %.2f buckets per fault, %u buckets "
           "with more than one fault, %.2f %% of the dumps with another fault's\n",
           faults, signed_runs, per_fault, shared_buckets, percent);
    return per_fault <= options.max_buckets && percent <= options.max_shared;
}

static bool parse(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--no-breadcrumbs") == 0)
            options.breadcrumbs = false;
        else if (strcmp(argv[i], "--unseen") == 0)
            options.is_unseen = true;
        else if (strcmp(argv[i], "--verbose") == 0)
            options.is_verbose = true;
        else if (++i == argc)
            return false;
        else if (strcmp(argv[i - 1], "--runs") == 0)
            options.runs = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(argv[i - 1], "--seed") == 0)
            options.seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i - 1], "--max-buckets") == 0)
            options.max_buckets = strtod(value, NULL);
        else if (strcmp(argv[i - 1], "--max-shared") == 0)
            options.max_shared = strtod(value, NULL);
        else if (strcmp(argv[i - 1], "--keep") == 0)
            options.keep = value;
        else
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    char own[] = "/tmp/annot-fleet-XXXXXX";
    if (!parse(argc, argv)) {
        fputs(
            "usage: fleet-measure [--unseen] [--runs N] [--seed N] [--no-breadcrumbs] [--verbose]\n"
            "                     [--max-buckets X] [--max-shared PERCENT] [--keep DIR]\n",
            stderr);
        return 2;
    }
    const char *folder = options.keep ? options.keep : mkdtemp(own);
    if (!folder) {
        perror(own);
        return 2;
    }
    tallies = calloc(corpus_fault_count(), sizeof *tallies);
    for (size_t i = first_fault(); i < end_fault(); i++)
        play(i, folder);
    const bool is_good = report();
    if (!options.keep)
        rmdir(folder);
    return is_good ? 0 : 1;
}
