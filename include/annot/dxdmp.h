/*
 * For tools: read DirectX dump files (.dxdmp) on any platform, and write one from an annotation
 * dump. Windows' D3D12 runtime leaves such files after a device error.
 *
 * The sink of annot_dxdmp_as_dump gets a dump for annot_reader_open_memory; all reports are made
 * from such a dump.
 *
 * The layout is that of version 1 of Microsoft's DXDumpFileFormat.h (a preview: it may still
 * change). It has no hash, no closing mark and no index. So a cut file can be noticed only if its
 * last section is too short. Annotations are stored flat, by queue and by command allocator,
 * without parents, lists or states; these are reported as unknown. The path to a hang comes from
 * DRED's breadcrumbs and their contexts, if the application had enabled them.
 *
 * Any bytes give a dump or an error. Memory is at most 5 times the file. Any number of threads may
 * call these functions.
 */
#ifndef ANNOT_DXDMP_H
#define ANNOT_DXDMP_H

#include "reader.h"

ANNOT_BEGIN_DECLS

/* Whether the bytes begin as a DirectX dump file does. */
ANNOT_READER_API bool annot_dxdmp_is(const void *data, size_t size);

/*
 * Writes an annotation dump as a DirectX dump file: header, application, adapter, objects,
 * annotations by queue and allocator, application blobs and the driver's. The annotation dump
 * itself is stored as a user-mode driver blob, since hierarchy, executions and states have no other
 * place in the format; `annot show` reads it back from there. Annotation dumps have no command
 * allocators, so each recording is written as one. Errors: ANNOT_ERROR_IO if the sink refused,
 * ANNOT_ERROR_OUT_OF_MEMORY.
 */
ANNOT_READER_API annot_result annot_dxdmp_write(const annot_reader *reader,
                                                const annot_report_sink *sink);

/*
 * Writes the file as an annotation dump, for everything that shows or compares such dumps. This is
 * the dump inside the file. If there is none, a dump is made from the file's contents
 * (docs/DXDMP.md), and everything else is unknown. A damaged file gives a dump without a closing
 * mark. `desc` may be NULL for the defaults of annot_reader_desc. Errors: ANNOT_ERROR_NOT_A_DUMP,
 * ANNOT_ERROR_TOO_LARGE, ANNOT_ERROR_IO if the sink refused, ANNOT_ERROR_OUT_OF_MEMORY.
 */
ANNOT_INLINE annot_result annot_dxdmp_as_dump(const annot_reader_desc *desc, const void *data,
                                              size_t size, const annot_report_sink *sink);

/* ---- the exported form; it takes the size of its struct, so that the struct can grow ---- */

ANNOT_READER_API annot_result annot_dxdmp_as_dump_sized(const annot_reader_desc *desc,
                                                        size_t desc_size, const void *data,
                                                        size_t size, const annot_report_sink *sink);
ANNOT_INLINE annot_result annot_dxdmp_as_dump(const annot_reader_desc *desc, const void *data,
                                              size_t size, const annot_report_sink *sink)
{
    return annot_dxdmp_as_dump_sized(desc, sizeof *desc, data, size, sink);
}

ANNOT_END_DECLS

#endif
