/*
 * For tools: reads DirectX dump files (.dxdmp) on any platform, and makes such a file from an
 * annotation dump. The D3D12 runtime of Windows writes .dxdmp files after a device error.
 *
 * annot_dxdmp_as_dump writes an annotation dump to a sink. annot_reader_open_memory opens this
 * dump, and reports read it.
 *
 * The files have version 1 of the layout in Microsoft's DXDumpFileFormat.h (a preview: it may still
 * change). The layout has no hash, no closing mark and no index. So the reader notices a cut file
 * only if the file's last section is too short. The layout groups annotations by queue and by
 * command allocator. Reports show parents, lists and states as unknown, because the layout lacks
 * them. The path to a hang comes from DRED's breadcrumbs and their contexts, if the application had
 * enabled these.
 *
 * Any input gives a dump or an error. The functions take memory of at most 5 times the file's size.
 * Any number of threads may call them.
 */
#ifndef ANNOT_DXDMP_H
#define ANNOT_DXDMP_H

#include "reader.h"

ANNOT_BEGIN_DECLS

/* Returns true if the `size` bytes at `data` begin like a DirectX dump file. */
ANNOT_READER_API bool annot_dxdmp_is(const void *data, size_t size);

/*
 * Writes an annotation dump as a DirectX dump file: header, application, adapter, objects,
 * annotations by queue and allocator, and the blobs of application and driver. The format has no
 * place for hierarchy, executions and states. So the file also has the whole annotation dump as a
 * blob of the user-mode driver, and `annot show` reads this blob. An annotation dump has no command
 * allocators, so each recording is written as an allocator. Errors: ANNOT_ERROR_IO if the sink
 * refused, ANNOT_ERROR_OUT_OF_MEMORY.
 */
ANNOT_READER_API annot_result annot_dxdmp_write(const annot_reader *reader,
                                                const annot_report_sink *sink);

/*
 * Writes the annotation dump of a DirectX dump file to `sink`. If the file has no annotation dump
 * inside, the call makes a dump from the file's contents (docs/DXDMP.md); data that the file lacks
 * is unknown in the dump. A damaged file gives a dump without a closing mark. `desc` may be NULL
 * for the defaults of annot_reader_desc. Errors: ANNOT_ERROR_NOT_A_DUMP, ANNOT_ERROR_TOO_LARGE,
 * ANNOT_ERROR_IO if the sink refused, ANNOT_ERROR_OUT_OF_MEMORY.
 */
ANNOT_INLINE annot_result annot_dxdmp_as_dump(const annot_reader_desc *desc, const void *data,
                                              size_t size, const annot_report_sink *sink);

/* ---- the exported function; it takes the size of its struct, so that the struct can grow ---- */

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
