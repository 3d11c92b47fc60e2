/* Gives the words of each API for the sentences of reports. */
#include "report/report.h"

/* The words that only reports use; annot/reader_model.h has the other words. */
#define ANNOT_TERM_command_list(PICK)                                                              \
    PICK("command list", "command list", "command list", "command buffer")
#define ANNOT_TERM_execute_bundle(PICK)                                                            \
    PICK("ExecuteBundle", "ExecuteBundle", "ExecuteBundle", "vkCmdExecuteCommands")
#define ANNOT_TERM_scope_calls(PICK)                                                               \
    PICK("BeginEvent / EndEvent", "BeginEvent / EndEvent", "BeginEvent / EndEvent",                \
         "vkCmdBeginDebugUtilsLabelEXT / vkCmdEndDebugUtilsLabelEXT")
#define ANNOT_TERM_fence(PICK)  PICK("fence", "fence", "fence", "semaphore")
#define ANNOT_TERM_direct(PICK) PICK("direct", "direct", "direct", "graphics")
#define ANNOT_TERM_no_report(PICK)                                                                 \
    PICK("The driver returned no report, so nothing says how far unfinished work got.",            \
         "With this evidence, the layer writes no words, so nothing says how far work got: "       \
         "docs/D3D12_LAYER.md says what each kind of evidence can tell.",                          \
         "The file does not tell how far unfinished work got.",                                    \
         "With this evidence, the layer writes no marks, so nothing says how far work got: "       \
         "docs/VULKAN.md says what each kind of evidence can tell.")
#define ANNOT_TERM_no_order(PICK)                                                                  \
    PICK("This driver may reorder markers", "This layer may reorder markers",                      \
         "Markers may come out of order", "Marks may come out of order")

#define WORDS(W)                                                                                   \
    {                                                                                              \
        .list = W(list), .command_list = W(command_list), .marker = W(marker),                     \
        .bundle = W(bundle), .execute_bundle = W(execute_bundle), .allocator = W(allocator),       \
        .begin = W(begin), .end = W(end), .scope_calls = W(scope_calls), .direct = W(direct),      \
        .fence = W(fence), .driver = W(driver), .no_report = W(no_report), .no_order = W(no_order) \
    }

const struct annot__words *annot__words_of(const annot_reader *reader)
{
    static const struct annot__words all[] = {WORDS(ANNOT_IN_D3D12), WORDS(ANNOT_IN_LAYER),
                                              WORDS(ANNOT_IN_FILE), WORDS(ANNOT_IN_VULKAN)};
    return &all[reader->voice];
}
