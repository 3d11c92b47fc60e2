/* The dump format as one table. Writer, reader and docs/DUMP_FORMAT.md are made from the table.
 *
 *     file     = file header, section, section, ...              all integers little-endian
 *     header   = magic "ANNOTDMP" (zeros until the very end), u16 major, u16 minor,
 *                u32 header size, u64 0, u64 XXH64 of the 16 bytes between magic and hash
 *     section  = "ANNOTSEC", u32 kind, u32 index (0, 1, 2, ...), u64 payload size, u64 hash,
 *                payload, zeros to 8
 *                hash = XXH64 of the payload with seed (u64)index << 32 | kind
 *     payload  = record, record, ...                              no record crosses a section
 *     record   = u16 kind, u16 fixed size, u32 variable size, fixed fields, variable bytes,
 *                zeros to 8
 *
 * A reader that knows fewer fields skips the rest of the fixed part. A reader that knows more
 * fields takes 0 for missing fields. Readers skip records and sections of unknown kind. */
#pragma once

#include <annot/reader.h>

#include <stdbool.h>
#include <stdint.h>

#define ANNOT__DUMP_MAGIC          "ANNOTDMP"
#define ANNOT__DUMP_SECTION_MAGIC  "ANNOTSEC"
#define ANNOT__DUMP_MAGIC_SIZE     8u
#define ANNOT__DUMP_MAJOR          1u
#define ANNOT__DUMP_MINOR          1u
#define ANNOT__DUMP_HEADER_SIZE    32u
#define ANNOT__DUMP_SECTION_HEADER 32u
#define ANNOT__DUMP_RECORD_HEADER  8u
/* The largest payload of a section, and the largest number of variable bytes in a record that is
 * no SUBMISSION. */
#define ANNOT__DUMP_SECTION_MAX  (256u << 10)
#define ANNOT__DUMP_VARIABLE_MAX (32u << 10)

/* Calls SECTION(name, kind, contents) for each section, in the order of the file; END is always
 * last. A file may have several sections of one kind in a row. A new section needs four things: a
 * line in this table with the next free number; its records in ANNOT__DUMP_RECORDS; a function
 * annot__write_section_NAME; and a function annot__read_RECORD for each of its records. */
#define ANNOT__DUMP_SECTIONS(SECTION)                                                              \
    SECTION(ABOUT, 1, "the device, texts about the dump, and losses of data")                      \
    SECTION(OBJECTS, 2, "device children: kind, identity, name")                                   \
    SECTION(LISTS, 3, "recordings of command lists: for each a RECORDING, then what was recorded") \
    SECTION(QUEUES, 4, "queues: for each a QUEUE, then what was recorded and submitted on it")     \
    SECTION(EVIDENCE, 5, "what the driver and the kernel returned")                                \
    SECTION(CRUMBS, 7,                                                                             \
            "the runtime's breadcrumbs, and the objects that have addresses around a page fault")  \
    SECTION(HISTORY, 8, "times of submissions and of the GPU's work, by both clocks")              \
    SECTION(TDR, 9, "timeout detection and recovery: data of the kernel-mode driver")              \
    SECTION(END, 6, "one END record, which says that the dump is whole")

/* Calls RECORD(name, kind, meaning, meaning of the variable bytes) for each record;
 * ANNOT__DUMP_FIELDS_NAME lists its fields. A stream's records are in recorded order. The field
 * `parent` is the EventID of the enclosing scope, or 0. The end of a scope has no record: the scope
 * ends after its last descendant, and the flag CLOSED says that an End was recorded. */
#define ANNOT__DUMP_RECORDS(RECORD)                                                                \
    RECORD(DEVICE, 1, "describes the device and the moment of the dump", "none")                   \
    RECORD(TEXT, 2, "has one text about the dump", "UTF-8, no NUL")                                \
    RECORD(LOSS, 3, "says which data is missing in the dump, and how much", "none")                \
    RECORD(OBJECT, 4, "describes a device child", "the child's name, UTF-8, no NUL")               \
    RECORD(RECORDING, 5, "begins a list's recording; the following records belong to it", "none")  \
    RECORD(BEGIN, 6, "is a BeginEvent", "the payload, or its first 32,768 bytes")                  \
    RECORD(SET, 7, "is a SetMarker", "the payload, or its first 32,768 bytes")                     \
    RECORD(SURPLUS_END, 8, "is an EndEvent without an open scope on this list or queue", "none")   \
    RECORD(BUNDLE, 9, "is an ExecuteBundle", "the bundle's name, UTF-8, no NUL, if `flags` is 1")  \
    RECORD(QUEUE, 10, "begins a queue's stream; the following records belong to it", "none")       \
    RECORD(SUBMISSION, 11, "is an ExecuteCommandLists",                                            \
           "16 bytes for each list: u64 recording (0: none was kept), u64 object")                 \
    RECORD(PROGRESS, 12, "says how far one execution got, by the driver's report", "none")         \
    RECORD(FAULT, 13, "describes a page fault", "none")                                            \
    RECORD(BLOB, 14, "has a part of a blob", "the blob's bytes from `offset` on")                  \
    RECORD(END, 15, "closes the dump", "none")                                                     \
    RECORD(KIND, 16, "has the API's name for a kind of object", "the API's name, UTF-8, no NUL")   \
    RECORD(FACT, 17, "has a key and its value", "the key, then the value, UTF-8, no NUL")          \
    RECORD(CRUMBS, 19, "says how many operations of one execution the GPU was done with", "none")  \
    RECORD(OPS, 20, "lists operations of one recording, in order",                                 \
           "one byte for each operation: D3D12_AUTO_BREADCRUMB_OP")                                \
    RECORD(RANGE, 21, "describes a range of GPU virtual addresses, and its object", "none")        \
    RECORD(HISTORY, 18, "says when the GPU was done with the calls of one command list, in order", \
           "16 bytes for each call: u64 API sequence number, u64 time of the GPU (0: not done)")   \
    RECORD(SUBMITTED, 22, "has the times of one submission, by the clocks of CPU and GPU", "none") \
    RECORD(CLOCK, 23,                                                                              \
           "has the times of both clocks at one moment; the last CLOCK is of the error", "none")   \
    RECORD(TIMES, 24, "gives the number of missing times", "none")                                 \
    RECORD(TDR, 25, "has the kernel's question to its driver after the failure, and the answer",   \
           "the payload before the driver's call, then after the call")                            \
    RECORD(NAME, 26,                                                                               \
           "has the name of a list at Close, or the name of a list or queue at a submission",      \
           "the name, UTF-8, no NUL")                                                              \
    RECORD(SHADER, 27, "describes the code of a pipeline's shader", "the shader's debug name")     \
    RECORD(OPERATION, 28, "describes an operation of a list, at its place in the recording",       \
           "8 bytes for each argument: i64; then 16 bytes for each object: u64 id, u32 role, u32 " \
           "the layout that the call names for the object, plus 1 (0: none)")                      \
    RECORD(RESOURCE, 29, "describes a buffer or texture", "none")                                  \
    RECORD(THREAD, 30, "says that another thread makes the queue's next calls", "none")            \
    RECORD(WAIT, 31, "describes a fence that a queue waits for",                                   \
           "8 bytes for each queue whose Signal will end the wait: u64 object id")                 \
    RECORD(FORMER, 32, "has a name that an object had before", "the name, UTF-8, no NUL")

#define ANNOT__DUMP_FIELDS_DEVICE(U32, U64)                                                        \
    U64(guid_low, "first 8 bytes of the GUID that names this error, as stored")                    \
    U64(guid_high, "last 8 bytes of the GUID")                                                     \
    U64(time, "nanoseconds since 1970-01-01 UTC, or of a virtual clock; 0: unknown")               \
    U64(budget, "bytes of marker data that the device may retain, 0: unbounded")                   \
    U64(live_bytes, "bytes of marker data that the device retained")                               \
    U32(error,                                                                                     \
        "device error code: 0 none, 7 hung, 9 page fault, 0x88000000 or 0x80000000 unknown")       \
    U32(mode, "annotation mode: 1 runtime only, 2 driver retail, 0 not known")                     \
    U32(driver_supported, "1: the driver takes annotations")                                       \
    U32(order_window, "how far markers may be out of order; 0: not at all, 0xFFFFFFFF: no limit")  \
    U32(has_report, "1: the driver returned a crash report")                                       \
    U32(pointer_size, "bytes of a pointer in the process")                                         \
    U32(promises, "1: a queue's executions start in order; 2: they are done in order; 4: markers " \
                  "drain the GPU")                                                                 \
    U32(virtual_clock,                                                                             \
        "1: `time` is of a virtual clock, so `time` is not a date, and a `time` of 0 is known")    \
    U32(thread, "system's number of the thread that failed, 0: not known")

#define ANNOT__DUMP_FIELDS_TEXT(U32, U64)                                                          \
    U32(role, "1 application, 2 adapter, 3 driver, 4 reason, 5 writer's version")

#define ANNOT__DUMP_LOSS_DOC(name, number, member, one, many) #number " " many "; "

#define ANNOT__DUMP_FIELDS_LOSS(U32, U64)                                                          \
    U64(count, "how many are missing")                                                             \
    U64(object, "the object that the loss is about, 0: the device")                                \
    U32(what, "" ANNOT_LOSSES(ANNOT__DUMP_LOSS_DOC, ANNOT_IN_D3D12) "larger ones: newer formats")

#define ANNOT__DUMP_FIELDS_OBJECT(U32, U64)                                                        \
    U64(id, "the object's number, unique in the device")                                           \
    U64(handle, "the driver's handle")                                                             \
    U32(kind, "the API's own number; for D3D12, D3D12_DRED_ALLOCATION_TYPE")                       \
    U32(list_type, "for queues and lists, D3D12_COMMAND_LIST_TYPE")                                \
    U32(flags, "1: destroyed before the dump, 2: has a name, 4: created under DRIVER_RETAIL")      \
    U32(name_size, "bytes of the whole name")                                                      \
    U32(type, "the type in any API, see the table below; 0: only `kind` is known")                 \
    U64(made, "of a RESOURCE: its creation came before this submission of the device, from 1")     \
    U64(destroyed, "the same of its memory's end; 0: it exists, or is no RESOURCE")

#define ANNOT__DUMP_FIELDS_RECORDING(U32, U64)                                                     \
    U64(id, "number that SUBMISSION and BUNDLE refer to, unique in the device")                    \
    U64(object, "the command list")                                                                \
    U64(dropped, "markers of this recording that were not retained")                               \
    U32(open, "1: the list was still recording when the dump was taken")                           \
    U32(surplus_ends, "EndEvents without an open scope")                                           \
    U32(unclosed, "scopes that were open at Close")                                                \
    U32(bundles, "ExecuteBundle calls, also dropped calls")                                        \
    U32(thread, "system's number of the thread that began the recording, 0: not known")            \
    U64(call, "number of the call that began the recording, in a trace; 0: none")

#define ANNOT__DUMP_FIELDS_NAME(U32, U64)                                                          \
    U32(name_size, "bytes of the whole name")                                                      \
    U32(list, "in a queue's stream: the list's index in the submission; 0xFFFFFFFF: the queue")    \
    U64(serial, "in a queue's stream: serial of the submission, whose record comes before")

#define ANNOT__DUMP_FIELDS_SHADER(U32, U64)                                                        \
    U64(object, "the pipeline, whose OBJECT comes before this record")                             \
    U64(xxh3, "XXH3 of the code's bytes, 64 bits")                                                 \
    U64(digest_low, "first 8 bytes of the container's checksum, as stored")                        \
    U64(digest_high, "last 8 bytes of the checksum")                                               \
    U64(hash_low, "first 8 bytes of the hash in the container's part HASH, as stored")             \
    U64(hash_high, "last 8 bytes of this hash")                                                    \
    U32(form, "1 DXBC of shader models 4 and 5, 2 DXIL, 3 SPIR-V, 0 other bytes")                  \
    U32(stage, "D3D's type of program, plus 1: 1 pixel, 2 vertex, 3 geometry, 4 hull, 5 domain, "  \
               "6 compute, 14 mesh, 15 amplification; 0: not known")                               \
    U32(flags, "1: there is a digest; 2: there is a hash; 4: the hash covers the source, too")     \
    U32(name_size, "bytes of the whole name")

#define ANNOT__DUMP_FIELDS_RESOURCE(U32, U64)                                                      \
    U64(object, "the buffer or texture, whose OBJECT comes before this record")                    \
    U64(width, "texels; for a buffer, bytes")                                                      \
    U32(dimension, "D3D12_RESOURCE_DIMENSION: 1 buffer; 2, 3, 4: texture of 1, 2, 3 dimensions")   \
    U32(format, "the API's own number; for D3D12, DXGI_FORMAT")                                    \
    U32(height, "texels")                                                                          \
    U32(depth, "texels, or slices of an array")                                                    \
    U32(mips, "mip levels")                                                                        \
    U32(samples, "samples of a texel")                                                             \
    U32(state, "the resource's state at creation, plus 1; 0: not known")                           \
    U32(memory,                                                                                    \
        "1 placed, 2 committed, 3 implicit, 4 reserved, 5 in a buffer, 6 freed; 0: not known")

#define ANNOT__DUMP_FIELDS_OPERATION(U32, U64)                                                     \
    U64(parent, "EventID of the enclosing scope, 0: none")                                         \
    U32(number, "number in the recording, from 0, as in CRUMBS; CRUMBS does not count operations " \
                "with numbers from 2^30 on")                                                       \
    U32(kind, "D3D12_AUTO_BREADCRUMB_OP")                                                          \
    U32(arguments, "how many arguments are in the variable bytes")                                 \
    U32(objects, "how many objects follow the arguments; roles: 1 pipeline, 2 target, 3 depth, 4 " \
                 "indices, 5 arguments, 6 counts, 7 destination, 8 source, 9 bundle, 10 barrier, " \
                 "11 access, 12 vertices; entries behind the objects have role 13, part")

#define ANNOT__DUMP_FIELDS_MARKER(U32, U64)                                                        \
    U64(event_id, "EventID")                                                                       \
    U64(parent, "EventID of the enclosing scope, 0: none")                                         \
    U32(metadata, "as the application passed it")                                                  \
    U32(size, "payload bytes; if the variable bytes are fewer, the payload is cut")                \
    U32(flags, "1: CLOSED, the scope's EndEvent was recorded; 2: BY_REFERENCE, the payload was "   \
               "read when the dump was written; 4: CHANGED, the payload had changed since it was " \
               "recorded; 8: UNREADABLE, the payload's memory was gone")

#define ANNOT__DUMP_FIELDS_BEGIN ANNOT__DUMP_FIELDS_MARKER
#define ANNOT__DUMP_FIELDS_SET   ANNOT__DUMP_FIELDS_MARKER

#define ANNOT__DUMP_FIELDS_SURPLUS_END(U32, U64)                                                   \
    U64(parent, "0; if scopes were dropped, EventID of the enclosing scope")

#define ANNOT__DUMP_FIELDS_BUNDLE(U32, U64)                                                        \
    U64(parent, "EventID of the enclosing scope, 0: none")                                         \
    U64(recording, "the bundle's recording, 0: none was kept")                                     \
    U64(object, "the bundle")                                                                      \
    U32(ordinal, "1 for the list's first ExecuteBundle, 2 for its second, ...")                    \
    U32(name_size, "bytes of the whole name")                                                      \
    U32(flags, "1: the variable bytes are the bundle's name at that moment; 0: use the NAME of "   \
               "the bundle's recording")

#define ANNOT__DUMP_FIELDS_QUEUE(U32, U64)                                                         \
    U64(object, "the queue")                                                                       \
    U64(submitted, "serial of the last submission, 0: none")                                       \
    U64(completed, "the GPU is known to be done up to this serial")                                \
    U64(dropped, "queue markers that were not retained")                                           \
    U32(surplus_ends, "EndEvents without an open scope")                                           \
    U32(open_scopes, "scopes that were open when the dump was taken")                              \
    U32(thread, "system's number of the thread that made the calls up to the next THREAD; 0: "     \
                "no thread of the queue is known")

#define ANNOT__DUMP_FIELDS_THREAD(U32, U64)                                                        \
    U64(parent, "EventID of the enclosing scope, 0: none; scopes inside this scope have ended")    \
    U32(thread, "system's number of the thread")

#define ANNOT__DUMP_FIELDS_SUBMISSION(U32, U64)                                                    \
    U64(serial, "number on its queue: 1, 2, 3, ...")                                               \
    U64(parent, "EventID of the enclosing queue scope, 0: none")                                   \
    U32(count, "number of command lists; lists without variable bytes were cut")                   \
    U64(number, "number among all submissions of the device, from 1; 0: not known")

#define ANNOT__DUMP_FIELDS_FORMER(U32, U64)                                                        \
    U64(object, "the object, whose OBJECT comes before this record")                               \
    U64(until, "number of the last submission that was made while the object had this name")       \
    U32(name_size, "bytes of the whole name")

#define ANNOT__DUMP_FIELDS_PROGRESS(U32, U64)                                                      \
    U64(queue, "object id of the queue")                                                           \
    U64(submission, "serial; 0: the row is about a queue")                                         \
    U64(started, "EventID of the last Begin or Set that the GPU reached, 0: none")                 \
    U64(completed, "EventID of the last SetMarker or scope that the GPU completed, 0: none")       \
    U32(list, "index in the submission; 0xFFFFFFFF: the row is about the queue's own markers")     \
    U32(bundle, "0: the list itself; n: the list's n-th ExecuteBundle")                            \
    U32(state, "0 unknown, 1 not started, 2 started, 3 finished")                                  \
    U32(inside, "what the driver followed: 0 no markers; 1 `started`; 2 `completed`; 4 markers, "  \
                "but the driver knows none")                                                       \
    U64(object, "object id of the command list or bundle, 0: not known")

#define ANNOT__DUMP_FIELDS_FAULT(U32, U64)                                                         \
    U64(address, "GPU virtual address")                                                            \
    U32(source, "reported by: 1 the kernel, 2 the API's runtime, 3 the driver, 0 not known")

#define ANNOT__DUMP_FIELDS_WAIT(U32, U64)                                                          \
    U64(queue, "object id of the queue, 0: the program's CPU waits")                               \
    U64(submission, "serial of the first submission after the wait, 0: none")                      \
    U64(fence, "object id of the fence")                                                           \
    U64(value, "the value that the queue waits for")                                               \
    U64(reached, "the value that the fence had")                                                   \
    U32(certain,                                                                                   \
        "1: the queue waited when the dump was taken; 0: the queue waited when the library "       \
        "last looked at fences")                                                                   \
    U32(flags, "annot_wait_flags")                                                                 \
    U64(given, "the highest value that a queue was told to signal")                                \
    U64(giver, "the queue that was told to signal `given`, 0: none")                               \
    U64(waited, "nanoseconds since the waiting call")                                              \
    U32(list, "n: the queue waits in list n of `submission`; 0: before it")

#define ANNOT__DUMP_FIELDS_BLOB(U32, U64)                                                          \
    U64(metadata, "number that the application gave to the blob")                                  \
    U64(offset, "place of these bytes in the blob")                                                \
    U64(size, "bytes of the whole blob")                                                           \
    U32(kind, "1 driver, 2 kernel, 3 application, 4 kernel-mode driver")                           \
    U32(index, "blobs are numbered from 0")

#define ANNOT__DUMP_FIELDS_END(U32, U64)                                                           \
    U64(sections, "sections before this section")                                                  \
    U64(records, "records before this record")                                                     \
    U64(markers, "BEGIN and SET records")

#define ANNOT__DUMP_FIELDS_KIND(U32, U64) U32(kind, "the number in OBJECT.kind")

#define ANNOT__DUMP_FIELDS_FACT(U32, U64)                                                          \
    U32(source, "1 the application's device, 2 the dump's caller, 3 the library")                  \
    U32(key_size, "bytes of the key")

#define ANNOT__DUMP_FIELDS_CRUMBS(U32, U64)                                                        \
    U64(queue, "object id of the queue")                                                           \
    U64(submission, "serial")                                                                      \
    U64(log, "identity of the recording's OPS, shared by all executions of the recording")         \
    U32(list, "index in the submission")                                                           \
    U32(bundle, "0: the list itself; n: the list's n-th ExecuteBundle")                            \
    U32(count, "operations recorded")                                                              \
    U32(done,                                                                                      \
        "operations that the GPU was done with; 0xFFFFFFFF: the GPU never reached the execution")  \
    U32(markers, "SetMarker, BeginEvent and EndEvent among `count`")                               \
    U32(flags, "1: only markers are operations; 2: the list's end writes a breadcrumb, too; "      \
               "4: the end's breadcrumb was written, so all operations are done")

#define ANNOT__DUMP_FIELDS_OPS(U32, U64)                                                           \
    U64(log, "identity of the recording, as in CRUMBS")                                            \
    U32(first, "the first operation's number, from 0; OPS has a list's last 65,536 operations")

#define ANNOT__DUMP_FIELDS_RANGE(U32, U64)                                                         \
    U64(address, "GPU virtual address")                                                            \
    U64(size, "bytes; 0: not known, but the fault's address is inside")                            \
    U64(object, "the object that has these addresses")                                             \
    U64(freed_before, "nanoseconds from the memory's end to the error; 0 unless `flags` is 1")     \
    U32(kind, "D3D12_DRED_ALLOCATION_TYPE")                                                        \
    U32(flags, "1: the memory ended before the error")

#define ANNOT__DUMP_FIELDS_HISTORY(U32, U64)                                                       \
    U64(queue, "object id of the queue")                                                           \
    U64(submission, "serial")                                                                      \
    U64(object, "object id of the command list")                                                   \
    U64(log, "identity of the recording's OPS, 0: not known")                                      \
    U32(list, "index in the submission")                                                           \
    U32(first, "index of this record's first call among the list's calls that have times, from 0") \
    U32(count, "operations recorded; API sequence numbers count operations from 1 (low half)")     \
    U32(markers, "SetMarker, BeginEvent and EndEvent among `count`")

#define ANNOT__DUMP_FIELDS_SUBMITTED(U32, U64)                                                     \
    U64(queue, "object id of the queue")                                                           \
    U64(submission, "serial")                                                                      \
    U64(cpu_begin, "when the submitting call began, in nanoseconds of the CPU's clock")            \
    U64(cpu_end, "when the submitting call returned, 0: it had not returned")                      \
    U64(begin, "when the GPU began the command buffer, by the GPU's clock; 0: it had not begun")   \
    U64(end, "when the GPU finished the command buffer, 0: it had not finished")                   \
    U32(thread, "system's number of the thread that submitted, 0: not known")                      \
    U32(sequence, "RenderCBSequence, 0: none")                                                     \
    U32(flags, "1: the history buffer was read; 2: completed before the error; 4: the driver did " \
               "not let the GPU execute the submission; 8: the CPU's times are known, even if 0")  \
    U32(problem, "why there are no times by the GPU's clock: annot_history_problem of "            \
                 "annot/dump.h; 0: no problem")

#define ANNOT__DUMP_FIELDS_CLOCK(U32, U64)                                                         \
    U64(gpu, "time by the GPU's clock")                                                            \
    U64(cpu, "time by the CPU's clock, in nanoseconds")                                            \
    U64(frequency, "frequency of the GPU's clock in Hz, as its driver says")

#define ANNOT__DUMP_FIELDS_TIMES(U32, U64)                                                         \
    U64(forgotten, "number of submissions whose times were dropped to make room for later ones")

#define ANNOT__DUMP_FIELDS_TDR(U32, U64)                                                           \
    U64(queue, "object id of the queue that made the kernel stop its engine, 0: none")             \
    U64(context, "object id of the queue that the driver holds guilty, 0: the driver names none")  \
    U64(last_completed, "fence ID of the last completed submission: its serial on its queue")      \
    U64(last_submitted, "fence ID of the last submission")                                         \
    U64(time, "nanoseconds that the driver took")                                                  \
    U32(type, "DXGK_TDR_TYPE")                                                                     \
    U32(reason, "DXGKARG_COLLECTDBGINFO.Reason: the bug check's code")                             \
    U32(ddi, "the driver's function: 0 none, 1 DxgkDdiCollectDbgInfo, 2 DxgkDdiCollectDbgInfo2")   \
    U32(status, "NTSTATUS that this function returned")                                            \
    U32(bucketing_key, "DXGKARG_COLLECTDBGINFO_EXT.BucketingKey")                                  \
    U32(dma_offset, "DXGKARG_COLLECTDBGINFO_EXT.CurrentDmaBufferOffset")                           \
    U32(node, "the engine's node; 0xFFFFFFFF: none")                                               \
    U32(payload_size, "bytes of the payload, 0: none was passed")                                  \
    U32(flags,                                                                                     \
        "what was wrong: 1 the driver wrote behind its buffer, so the buffer is not kept; 2 the "  \
        "call failed; 4 this device does not have the guilty context; 8 the driver took longer "   \
        "than TdrDdiDelay; 16 the driver changed the payload beyond its output field; 32 the "     \
        "engine reset failed or aborted a fence that was never pending")

#define ANNOT__DUMP_SECTION_ENUM(name, kind, doc)          ANNOT__DUMP_SECTION_##name = kind,
#define ANNOT__DUMP_RECORD_ENUM(name, kind, doc, variable) ANNOT__DUMP_##name = kind,

enum { ANNOT__DUMP_SECTIONS(ANNOT__DUMP_SECTION_ENUM) };
enum { ANNOT__DUMP_RECORDS(ANNOT__DUMP_RECORD_ENUM) };

/* An index for each kind of record. Arrays use this index, because a kind's number may be large. */
#define ANNOT__DUMP_RECORD_SLOT(name, kind, doc, variable) ANNOT__DUMP_SLOT_##name,
enum { ANNOT__DUMP_RECORDS(ANNOT__DUMP_RECORD_SLOT) ANNOT__DUMP_RECORD_SLOTS };

#define ANNOT__DUMP_SECTION_CASE(name, kind, doc) case kind:
static inline bool annot__dump_section_is_known(uint32_t kind)
{
    switch (kind) {
        ANNOT__DUMP_SECTIONS(ANNOT__DUMP_SECTION_CASE)
        return true;
    default:
        return false;
    }
}

/* Returns the index of a kind of record, or ANNOT__DUMP_RECORD_SLOTS for an unknown kind. */
#define ANNOT__DUMP_RECORD_CASE(name, kind, doc, variable)                                         \
    case kind:                                                                                     \
        return ANNOT__DUMP_SLOT_##name;
static inline uint32_t annot__dump_record_slot(uint32_t kind)
{
    switch (kind) {
        ANNOT__DUMP_RECORDS(ANNOT__DUMP_RECORD_CASE)
    default:
        return ANNOT__DUMP_RECORD_SLOTS;
    }
}

/* Declares a struct with the record's fields for each record: struct annot__dump_DEVICE, ... */
#define ANNOT__DUMP_FIELD_U32(name, doc) uint32_t name;
#define ANNOT__DUMP_FIELD_U64(name, doc) uint64_t name;
#define ANNOT__DUMP_RECORD_STRUCT(name, kind, doc, variable)                                       \
    struct annot__dump_##name {                                                                    \
        ANNOT__DUMP_FIELDS_##name(ANNOT__DUMP_FIELD_U32, ANNOT__DUMP_FIELD_U64)                    \
    };
ANNOT__DUMP_RECORDS(ANNOT__DUMP_RECORD_STRUCT)

/* Copies the members that annot_resource and RESOURCE share; `of` points to one of these types. */
#define ANNOT__RESOURCE_MEMBERS(of)                                                                \
    .width = (of)->width, .dimension = (of)->dimension, .format = (of)->format,                    \
    .height = (of)->height, .depth = (of)->depth, .mips = (of)->mips, .samples = (of)->samples,    \
    .state = (of)->state, .memory = (of)->memory

/* The size in bytes of each record's fixed part: ANNOT__DUMP_DEVICE_FIXED, ... */
#define ANNOT__DUMP_SIZE_U32(name, doc) +4
#define ANNOT__DUMP_SIZE_U64(name, doc) +8
#define ANNOT__DUMP_RECORD_FIXED(name, kind, doc, variable)                                        \
    ANNOT__DUMP_##name##_FIXED =                                                                   \
        0 ANNOT__DUMP_FIELDS_##name(ANNOT__DUMP_SIZE_U32, ANNOT__DUMP_SIZE_U64),
enum { ANNOT__DUMP_RECORDS(ANNOT__DUMP_RECORD_FIXED) };

/* Size in bytes of the PROGRESS record's fixed part in older files, without the field `inside`. */
enum { ANNOT__DUMP_PROGRESS_WITHOUT_INSIDE = 44 };

enum {
    ANNOT__DUMP_MARKER_CLOSED = 1,
    ANNOT__DUMP_MARKER_BY_REFERENCE = 2,
    ANNOT__DUMP_MARKER_CHANGED = 4,
    ANNOT__DUMP_MARKER_UNREADABLE = 8
};
enum {
    ANNOT__DUMP_OBJECT_DESTROYED = 1,
    ANNOT__DUMP_OBJECT_NAMED = 2,
    ANNOT__DUMP_OBJECT_RETAIL = 4
};
enum {
    ANNOT__DUMP_TEXT_APPLICATION = 1,
    ANNOT__DUMP_TEXT_ADAPTER = 2,
    ANNOT__DUMP_TEXT_DRIVER = 3,
    ANNOT__DUMP_TEXT_REASON = 4,
    ANNOT__DUMP_TEXT_WRITER = 5
};
