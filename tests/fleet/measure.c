/* How many signatures one fault gets, and how many faults share one: each fault of a corpus is
 * played many times, or dumps whose faults are known are read, and the buckets are counted.
 *
 *     fleet-measure [--unseen | --scene FILE | --truth FILE [--groups FILE]]
 *                   [--runs N] [--seed N] [--no-breadcrumbs] [--keep DIR] [--verbose]
 *                   [--max-buckets X] [--max-shared PERCENT]
 *
 * Prints a table: of the first game, of the second one, which the rules were not tuned to
 * (--unseen), or of the programs that FILE describes (scene.h). --truth reads dumps instead: a line
 * has a fault, a tab and a dump's path; with --groups, which annot triage --output files wrote, the
 * groups are counted in place of signatures, and what is only probably of one apart. --keep leaves
 * the dumps and such a file, truth.tsv, in DIR.
 *
 * One run in ten is cut at a random byte.
 * Exit code 1: more buckets or sharing than that, or a report whose place isn't the signature's.
 */
#include "corpus.h"
#include "scene.h"

#include <annot/fleet.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* Faults by number: those of a corpus, or of a file. */
static struct {
    struct scene *scene;
    char (*names)[64]; /* of --truth */
    size_t begin, end;
} faults;

struct bucket {
    char id[ANNOT_SIGNATURE_ID_MAX], title[ANNOT_SIGNATURE_TITLE_MAX];
    uint32_t *runs; /* by fault */
    uint32_t all;
    UT_hash_handle hh;
};

struct tally {
    uint32_t runs, cut, full, weak, damaged, none, missing, probably;
    uint32_t elsewhere; /* the place of the stop is not the one that the signature is of */
};

/* A row of a file of groups, by path. */
struct member {
    char *path;
    char id[ANNOT_SIGNATURE_ID_MAX];
    bool is_sure;
    UT_hash_handle hh;
};
static struct member *members;

static struct options {
    uint32_t runs;
    uint64_t seed;
    bool breadcrumbs, is_verbose;
    double max_buckets, max_shared;
    const char *keep, *scene, *truth, *groups;
    bool is_unseen;
} options = {500, 1, true, false, 1e9, 100, NULL, NULL, NULL, NULL, false};

static const char *fault_name(size_t fault)
{
    return faults.names   ? faults.names[fault]
           : faults.scene ? scene_fault_name(faults.scene, fault)
                          : corpus_fault_name(fault);
}

static struct bucket *buckets;
static struct tally *tallies;

/* The measured name: the ID and the title of a signature or of an identity. */
struct found {
    annot_signature_quality quality;
    const char *id, *title;
};

static void count(size_t fault, const struct found *signature)
{
    struct bucket *bucket;
    HASH_FIND_STR(buckets, signature->id, bucket);
    if (!bucket) {
        bucket = calloc(1, sizeof *bucket);
        bucket->runs = calloc(faults.end, sizeof *bucket->runs);
        strcpy(bucket->id, signature->id);
        strcpy(bucket->title, signature->title);
        HASH_ADD_STR(buckets, id, bucket);
    }
    bucket->runs[fault]++;
    bucket->all++;
}

static bool read_groups(void)
{
    char line[8192];
    FILE *file = fopen(options.groups, "r");
    if (!file) {
        perror(options.groups);
        return false;
    }
    while (fgets(line, sizeof line, file)) {
        char *sure = strchr(line, '\t'), *path = sure ? strchr(sure + 1, '\t') : NULL;
        line[strcspn(line, "\r\n")] = '\0';
        if (!path || sure - line >= ANNOT_SIGNATURE_ID_MAX)
            continue;
        struct member *member = calloc(1, sizeof *member);
        memcpy(member->id, line, (size_t)(sure - line));
        member->path = strdup(path + 1);
        member->is_sure = sure[1] == 's';
        HASH_ADD_KEYPTR(hh, members, member->path, strlen(member->path), member);
    }
    fclose(file);
    return true;
}

/* True: the group says it. */
static bool count_member(size_t fault, const char *path)
{
    struct member *member;
    HASH_FIND_STR(members, path, member);
    if (!options.groups || !member)
        return options.groups != NULL;
    const struct found found = {ANNOT_SIGNATURE_FULL, member->id, ""};
    tallies[fault].full += member->is_sure;
    tallies[fault].probably += !member->is_sure;
    if (member->is_sure)
        count(fault, &found);
    return true;
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

/* Whether what reports say of the stop is the place that the identity is of. */
static bool is_reported(const annot_reader *reader, const annot_identity *identity)
{
    char path[ANNOT_IDENTITY_PATH_MAX];
    if (!identity->id[0] || identity->stop == ANNOT_READER_NONE)
        return true;
    annot_reader_stop_path(reader, identity->stop, path, sizeof path);
    return strcmp(path, identity->path) == 0;
}

static void look(size_t fault, uint32_t run, const char *path)
{
    const bool is_cut = run % 10 == 9 && !options.truth;
    struct tally *tally = &tallies[fault];
    static annot_identity identity;
    annot_reader *reader = NULL;
    size_t size = 0;
    char *bytes = read_file(path, &size);
    tally->runs++;
    if (count_member(fault, path)) {
        free(bytes);
        return;
    }
    if (!bytes) {
        tally->missing++;
        return;
    }
    if (is_cut) {
        size = size * ((run * 7919u) % 1000) / 1000;
        tally->cut++;
        if (options.keep && truncate(path, (off_t)size) != 0)
            perror(path);
    }
    annot_reader_open_memory(NULL, bytes, size, &reader);
    if (reader) {
        annot_reader_identity(reader, &identity);
        tally->elsewhere += !is_reported(reader, &identity);
        annot_reader_close(reader);
        const struct found found = {identity.quality, identity.id, identity.title};
        tally->full += found.quality == ANNOT_SIGNATURE_FULL;
        tally->weak += annot_signature_is_weak(found.quality);
        tally->damaged += found.quality == ANNOT_SIGNATURE_DAMAGED;
        tally->none +=
            found.quality == ANNOT_SIGNATURE_NO_WORK || found.quality == ANNOT_SIGNATURE_NO_ERROR;
        if (found.id[0])
            count(fault, &found);
    } else {
        tally->damaged++;
    }
    free(bytes);
}

static bool play_one(size_t fault, const struct corpus_run *run, const char *path)
{
    return faults.scene ? scene_play(faults.scene, fault, run, path)
                        : corpus_play(fault, run, path);
}

static void play(size_t fault, const char *folder, FILE *truth)
{
    char path[4096];
    for (uint32_t i = 0; i < options.runs; i++) {
        const struct corpus_run run = {options.seed * 1000000 + i, options.breadcrumbs};
        snprintf(path, sizeof path, "%s/%s-%05" PRIu32 ".annotdmp", folder, fault_name(fault), i);
        if (!play_one(fault, &run, path))
            fprintf(stderr, "no dump of %s, run %" PRIu32 ", driver %s\n", fault_name(fault), i,
                    corpus_driver(run.seed));
        look(fault, i, path);
        if (truth)
            fprintf(truth, "%s\t%s\n", fault_name(fault), path);
        if (!options.keep)
            remove(path);
    }
}

/* False: the file of truths can't be made. */
static bool play_all(const char *folder)
{
    char path[4096];
    FILE *truth = NULL;
    snprintf(path, sizeof path, "%s/truth.tsv", folder);
    if (options.keep && !(truth = fopen(path, "w"))) {
        perror(path);
        return false;
    }
    faults.scene = options.scene ? scene_read(options.scene) : NULL;
    faults.begin = options.is_unseen ? corpus_fault_first_unseen() : 0;
    faults.end = faults.scene        ? scene_fault_count(faults.scene)
                 : options.is_unseen ? corpus_fault_count()
                                     : corpus_fault_first_unseen();
    tallies = calloc(faults.end, sizeof *tallies);
    for (size_t i = faults.begin; i < faults.end; i++)
        play(i, folder, truth);
    if (truth)
        fclose(truth);
    return true;
}

static size_t fault_named(const char *name)
{
    size_t i = 0;
    while (i < faults.end && strcmp(faults.names[i], name) != 0)
        i++;
    if (i == faults.end)
        memcpy(faults.names[faults.end++], name,
               strlen(name) + 1); /* read_truth checked its length */
    return i;
}

/* Two passes: buckets have a counter for each fault. */
static bool read_truth(void)
{
    enum { FAULTS_MAX = 4096 };
    char line[8192];
    FILE *file = fopen(options.truth, "r");
    if (!file) {
        perror(options.truth);
        return false;
    }
    faults.names = calloc(FAULTS_MAX, sizeof *faults.names);
    tallies = calloc(FAULTS_MAX, sizeof *tallies);
    if (options.groups && !read_groups()) {
        fclose(file);
        return false;
    }
    for (int pass = 0; pass < 2; pass++) {
        rewind(file);
        while (fgets(line, sizeof line, file)) {
            char *tab = strchr(line, '\t');
            line[strcspn(line, "\r\n")] = '\0';
            if (!tab || tab - line >= 64 || faults.end == FAULTS_MAX - 1) {
                fprintf(stderr, "%s: FAULT, a tab and PATH in each line\n", options.truth);
                fclose(file);
                return false;
            }
            *tab = '\0';
            const size_t fault = fault_named(line);
            if (pass == 1)
                look(fault, 0, tab + 1);
        }
    }
    fclose(file);
    return true;
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
    uint64_t probably = 0, signed_runs = 0, shared = 0, used = 0, largest_sum = 0, mixed = 0;
    uint64_t elsewhere = 0;
    printf("| fault | runs | cut | full | weak | none | buckets | in the largest | of other faults "
           "there |\n|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = faults.begin; i < faults.end; i++) {
        const struct tally *t = &tallies[i];
        const struct bucket *largest = main_bucket(i);
        uint32_t own = 0, of_others = 0;
        for (const struct bucket *b = buckets; b; b = b->hh.next)
            own += b->runs[i] > 0;
        if (largest)
            of_others = largest->all - largest->runs[i];
        printf("| %s | %u | %u | %u | %u | %u | %u | %u | %u |\n", fault_name(i), t->runs, t->cut,
               t->full, t->weak, t->damaged + t->none + t->missing, own,
               largest ? largest->runs[i] : 0, of_others);
        used += own;
        probably += t->probably;
        elsewhere += t->elsewhere;
        largest_sum += largest ? largest->runs[i] : 0;
        signed_runs += t->full + t->weak;
    }
    uint32_t shared_buckets = 0;
    for (const struct bucket *b = buckets; b; b = b->hh.next) {
        uint32_t most = 0, users = 0;
        for (size_t i = faults.begin; i < faults.end; i++) {
            most = b->runs[i] > most ? b->runs[i] : most;
            users += b->runs[i] > 0;
        }
        shared += b->all - most;
        shared_buckets += users > 1;
        mixed += users > 1 ? b->all : 0;
        if (options.is_verbose) {
            printf("%s %u %s\n", b->id, b->all, b->title);
            for (size_t i = faults.begin; i < faults.end; i++)
                if (b->runs[i] > 0)
                    printf("    %5u %s\n", b->runs[i], fault_name(i));
        }
    }
    const size_t count = faults.end - faults.begin;
    const double per_fault = (double)used / (double)count;
    const double percent = signed_runs ? 100.0 * (double)shared / (double)signed_runs : 100;
    printf("\n%zu faults, %" PRIu64 " dumps with a signature: %.2f buckets per fault, %u buckets "
           "with more than one fault, %.2f %% of the dumps with another fault's\n",
           count, signed_runs, per_fault, shared_buckets, percent);
    printf(
        "in the largest bucket of their fault: %.2f %%; in a bucket with another fault: %.2f %%\n",
        signed_runs ? 100.0 * (double)largest_sum / (double)signed_runs : 0,
        signed_runs ? 100.0 * (double)mixed / (double)signed_runs : 0);
    if (elsewhere > 0)
        printf("reported in another place than the signature's: %" PRIu64 " dumps\n", elsewhere);
    if (options.groups)
        printf("weak, or probably of a group: %" PRIu64 " dumps, %.2f %%\n", probably,
               100.0 * (double)probably / (double)(probably + signed_runs + !signed_runs));
    return per_fault <= options.max_buckets && percent <= options.max_shared && elsewhere == 0;
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
        else if (strcmp(argv[i - 1], "--scene") == 0)
            options.scene = value;
        else if (strcmp(argv[i - 1], "--groups") == 0)
            options.groups = value;
        else if (strcmp(argv[i - 1], "--truth") == 0)
            options.truth = value;
        else
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    char own[] = "/tmp/annot-fleet-XXXXXX";
    if (!parse(argc, argv)) {
        fputs("usage: fleet-measure [--unseen | --scene FILE |\n"
              "                     --truth FILE [--groups FILE]]\n"
              "                     [--runs N] [--seed N]\n"
              "                     [--no-breadcrumbs] [--verbose] [--keep DIR] [--max-buckets X]\n"
              "                     [--max-shared PERCENT]\n",
              stderr);
        return 2;
    }
    const char *folder = options.truth ? "" : options.keep ? options.keep : mkdtemp(own);
    if (!folder) {
        perror(own);
        return 2;
    }
    if (!(options.truth ? read_truth() : play_all(folder)))
        return 2;
    const bool is_good = report();
    if (!options.keep && !options.truth)
        rmdir(folder);
    scene_free(faults.scene);
    return is_good ? 0 : 1;
}
