/* The state of a JSON report. json_values.c, json_stop.c and json_held.c each write a part of the
 * report; json.c writes the trees and puts the parts together. */
#pragma once

#include "json/json_writer.h"
#include "report/report.h"

#include <annot/fleet.h>

struct annot__json_page {
    struct annot__out out;
    struct annot__json to; /* into it */
    const annot_reader *reader;
    const annot_report_options *options;
    struct annot__outer_scopes outer;
    struct annot__names names;
    uint64_t nodes_left, size_limit;
    bool is_cut; /* nodes are missing, because the JSON reached its limit */
    annot_identity identity;
    char name[ANNOT__NAME_MAX + 1]; /* whole */
};

/* ---- values ---- */

/* Writes to the JSON page like annot__json_format. */
#define annot__json_say(page, ...) annot__json_format(&(page)->to, __VA_ARGS__)

/* Writes a text, up to the size of the longest name. Returns false if the text was cut. */
bool annot__json_text(struct annot__json_page *json, const char *name, annot_text value);
/* Writes only the beginning of a text, because the report may have the text many times. */
void annot__json_short_text(struct annot__json_page *json, const char *name, annot_text value);
/* Writes an object's identity and the beginning of the object's name. */
void annot__json_called(struct annot__json_page *json, const char *prefix,
                        struct annot__called_object object);
void annot__json_object(struct annot__json_page *json, const char *prefix, uint64_t id);
void annot__json_queue_of(struct annot__json_page *json, uint32_t submission);
void annot__json_list_of(struct annot__json_page *json, uint32_t execution);
void annot__json_entry(struct annot__json_page *json, uint32_t index);
/* Counts one more JSON node, without the nodes inside. Returns false if the report has reached its
 * limit. */
bool annot__json_take_node(struct annot__json_page *json);

/* ---- stops ---- */

/* Writes the breadcrumbs of one execution as JSON. */
void annot__json_crumbs(struct annot__json_page *json, uint32_t index);
/* Writes the description of a buffer or texture, if the dump has it. */
void annot__json_resource(struct annot__json_page *json, uint64_t object);
void annot__json_call(struct annot__json_page *json, const annot_reader_operation *operation);
void annot__json_stops(struct annot__json_page *json);
void annot__json_suspects(struct annot__json_page *json);

/* ---- parts without a tree ---- */

void annot__json_device(struct annot__json_page *json);
void annot__json_objects(struct annot__json_page *json);
void annot__json_facts(struct annot__json_page *json);
void annot__json_blobs(struct annot__json_page *json);
void annot__json_losses(struct annot__json_page *json);
void annot__json_findings(struct annot__json_page *json);
void annot__json_kernel_driver(struct annot__json_page *json);
void annot__json_all_crumbs(struct annot__json_page *json);
void annot__json_ranges(struct annot__json_page *json);
