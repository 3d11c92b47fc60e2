/* Root signatures and arguments, once for dispatches and once for draws. Parameters 0 and 1 are the
 * kernel's buffers, and parameter 2 is its constants [emu.h].
 *
 * A bundle is recorded before its caller is known. It inherits the arguments that it doesn't set:
 * its work names them, and the GPU takes them from the caller's bindings. Until a bundle sets its
 * own root signature, its calls assume a matching root signature, and ExecuteBundle compares the
 * caller's root signature. */
#include "list/command_list_record.h"

#include "view/descriptor_heap.h"
#include "device/device.h"
#include "root_signature/root_signature.h"

#define ARGUMENTS           2u
#define CONSTANTS           16u
#define CONSTANTS_PARAM     2u
#define INHERIT_ALL         (0xFFFF0000u | ((1u << ARGUMENTS) - 1))
#define INHERIT_CONSTANT(n) (1u << (16 + (n)))

static const unsigned lists_with[2] = {ON_COMPUTE, ON_GRAPHICS};

bool root_layouts_match(const struct root_layout *a, const struct root_layout *b)
{
    if (a->count != b->count)
        return false;
    for (UINT i = 0; i < a->count; i++)
        if (a->parameters[i].type != b->parameters[i].type ||
            a->parameters[i].constants != b->parameters[i].constants)
            return false;
    return true;
}

/* Forgets all arguments; a bundle then has its caller's arguments. */
static void forget_arguments(const struct d3d12_command_list *list, struct root_bindings *root)
{
    memset(&root->bound, 0, sizeof root->bound);
    if (list->type == D3D12_COMMAND_LIST_TYPE_BUNDLE)
        root->bound.inherited = INHERIT_ALL;
}

void command_list_clear_roots(struct d3d12_command_list *list)
{
    memset(list->heaps, 0, sizeof list->heaps);
    memset(list->assumed_heaps, 0, sizeof list->assumed_heaps);
    memset(list->roots, 0, sizeof list->roots);
    for (int i = 0; i < 2; i++)
        forget_arguments(list, &list->roots[i]);
}

/* ---- root signatures ---- */

/* Sets a signature. Setting the same signature again keeps the arguments. */
static void set_signature(list_iface *iface, ID3D12RootSignature *signature_iface, bool draws)
{
    const char *method = draws ? "SetGraphicsRootSignature" : "SetComputeRootSignature";
    struct d3d12_command_list *list = command_list_recorder(iface, lists_with[draws], method);
    const struct d3d12_root_signature *signature = d3d12_root_signature_from(signature_iface);
    if (!list)
        return;
    struct root_bindings *root = &list->roots[draws];
    LIST_REFUSES(signature_iface && (!signature || signature->child.device != list->child.device),
                 report_error, EMU_MESSAGE_INVALID_ARGUMENT,
                 "pRootSignature must be a root signature of this device");
    if (root->has_signature && signature && root_layouts_match(&root->layout, &signature->layout))
        return;
    memset(&root->layout, 0, sizeof root->layout);
    root->assumed = 0;
    root->has_signature = signature != NULL;
    if (signature)
        root->layout = signature->layout;
    forget_arguments(list, root);
}

/* ---- arguments ---- */

/* Notes that the caller's signature must have this parameter. False: the bundle needs another
 * parameter. */
static bool assume(struct root_bindings *root, UINT index, D3D12_ROOT_PARAMETER_TYPE type,
                   UINT constants)
{
    if (index >= ROOT_PARAMETERS_MAX)
        return false;
    const bool known = root->assumed >> index & 1;
    if (known && root->layout.parameters[index].type != type)
        return false;
    root->assumed |= (uint64_t)1 << index;
    root->layout.parameters[index].type = type;
    if (constants > root->layout.parameters[index].constants)
        root->layout.parameters[index].constants = constants;
    return true;
}

static bool has_parameter(const struct root_layout *layout, UINT index,
                          D3D12_ROOT_PARAMETER_TYPE type, UINT64 constants)
{
    return index < layout->count && layout->parameters[index].type == type &&
           constants <= layout->parameters[index].constants;
}

/* Returns the arguments if the list may set this parameter now; NULL after a message. */
static struct root_bindings *check_parameter(struct d3d12_command_list *list, bool draws,
                                             UINT index, D3D12_ROOT_PARAMETER_TYPE type,
                                             UINT64 constants, const char *method)
{
    struct root_bindings *root = &list->roots[draws];
    const bool right =
        root->has_signature || list->type != D3D12_COMMAND_LIST_TYPE_BUNDLE
            ? root->has_signature && has_parameter(&root->layout, index, type, constants)
            : constants <= D3D12_MAX_ROOT_COST && assume(root, index, type, (UINT)constants);
    if (right)
        return root;
    command_list_report_error(
        list, EMU_MESSAGE_INVALID_ARGUMENT, method,
        "the root signature's parameter %u doesn't exist, or has a different type", index);
    return NULL;
}

static void set_argument(struct root_bindings *root, UINT index, uint64_t address,
                         bool is_descriptor)
{
    if (index >= ARGUMENTS)
        return;
    root->bound.arguments[index] = address;
    root->bound.inherited &= ~(1u << index);
    root->bound.descriptors &= ~(1u << index);
    root->bound.descriptors |= (uint32_t)is_descriptor << index;
}

struct root_view {
    D3D12_ROOT_PARAMETER_TYPE type;
    D3D12_MESSAGE_ID misaligned;
    UINT alignment;
};

static const struct root_view constant_buffer_view = {
    D3D12_ROOT_PARAMETER_TYPE_CBV, D3D12_MESSAGE_ID_SET_ROOT_CONSTANT_BUFFER_VIEW_INVALID,
    D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT};
static const struct root_view shader_resource_view = {
    D3D12_ROOT_PARAMETER_TYPE_SRV, D3D12_MESSAGE_ID_SET_ROOT_SHADER_RESOURCE_VIEW_INVALID,
    sizeof(UINT)};
static const struct root_view unordered_access_view = {
    D3D12_ROOT_PARAMETER_TYPE_UAV, D3D12_MESSAGE_ID_SET_ROOT_UNORDERED_ACCESS_VIEW_INVALID,
    sizeof(UINT)};

static void set_view(list_iface *iface, bool draws, const struct root_view *view, UINT index,
                     D3D12_GPU_VIRTUAL_ADDRESS address, const char *method)
{
    struct d3d12_command_list *list = command_list_recorder(iface, lists_with[draws], method);
    struct root_bindings *root =
        list ? check_parameter(list, draws, index, view->type, 0, method) : NULL;
    if (root && address % view->alignment != 0)
        command_list_report_error(list, view->misaligned, method,
                                  "BufferLocation must be a multiple of %u", view->alignment);
    else if (root)
        set_argument(root, index, address, false);
}

static void set_constants(list_iface *iface, bool draws, UINT index, UINT count, const void *values,
                          UINT first, const char *method)
{
    struct d3d12_command_list *list = command_list_recorder(iface, lists_with[draws], method);
    struct root_bindings *root =
        list ? check_parameter(list, draws, index, D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS,
                               (UINT64)first + count, method)
             : NULL;
    if (!root)
        return;
    LIST_REFUSES(!values && count != 0, report_error, D3D12_MESSAGE_ID_SET_ROOT_CONSTANT_INVALID,
                 "pSrcData must not be NULL");
    for (UINT i = 0; i < count && index == CONSTANTS_PARAM && first + i < CONSTANTS; i++) {
        memcpy(&root->bound.constants[first + i], (const char *)values + (size_t)i * 4, 4);
        root->bound.inherited &= ~INHERIT_CONSTANT(first + i);
    }
}

void command_list_reset_indirect(struct d3d12_command_list *list, bool draws,
                                 const emu_indirect *indirect)
{
    struct root_bindings *root = &list->roots[draws];
    for (UINT i = 0; i < ARGUMENTS; i++)
        if (indirect->argument_offsets[i] != EMU_INDIRECT_NOWHERE)
            set_argument(root, i, 0, false);
    for (UINT i = 0; i < CONSTANTS; i++)
        if (indirect->constant_offsets[i] != EMU_INDIRECT_NOWHERE) {
            root->bound.constants[i] = 0;
            root->bound.inherited &= ~INHERIT_CONSTANT(i);
        }
}

/* ---- descriptors ---- */

/* Sets at most one heap of each kind that shaders see. Other heaps are not set any more. */
void STDMETHODCALLTYPE d3d12_command_list_SetDescriptorHeaps(list_iface *iface, UINT count,
                                                             ID3D12DescriptorHeap *const *heaps)
{
    LIST_METHOD(ON_COMPUTE | OUTSIDE_PASS);
    uint64_t set[2] = {0, 0};
    for (UINT i = 0; i < count; i++) {
        struct d3d12_descriptor_heap *heap = heaps ? d3d12_descriptor_heap_from(heaps[i]) : NULL;
        LIST_REFUSES(!heap || heap->child.device != list->child.device ||
                         heap->memory.address == 0 || set[heap->desc.Type] != 0,
                     report_error, D3D12_MESSAGE_ID_SET_DESCRIPTOR_HEAP_INVALID,
                     "heap %u must be shader visible, belong to this device, and be the only heap "
                     "of its type",
                     i);
        set[heap->desc.Type] = heap->start;
    }
    memcpy(list->heaps, set, sizeof set);
}

/* Whether tables may be in the heap: the heap is set, or a bundle's caller must have set it. */
static bool is_heap_set(struct d3d12_command_list *list, const struct d3d12_descriptor_heap *heap)
{
    const D3D12_DESCRIPTOR_HEAP_TYPE kind = heap->desc.Type;
    if (list->type != D3D12_COMMAND_LIST_TYPE_BUNDLE || list->heaps[0] != 0 || list->heaps[1] != 0)
        return list->heaps[kind] == heap->start;
    if (list->assumed_heaps[kind] == 0)
        list->assumed_heaps[kind] = heap->start;
    return list->assumed_heaps[kind] == heap->start;
}

/* The kernels' buffers are the tables' first descriptors. */
static void set_table(list_iface *iface, bool draws, UINT index, D3D12_GPU_DESCRIPTOR_HANDLE handle,
                      const char *method)
{
    struct d3d12_command_list *list = command_list_recorder(iface, lists_with[draws], method);
    struct root_bindings *root =
        list ? check_parameter(list, draws, index, D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE, 0,
                               method)
             : NULL;
    UINT first;
    if (!root)
        return;
    const struct d3d12_descriptor_heap *heap =
        d3d12_descriptor_heap_find_gpu(list->child.device, handle, &first);
    if (!heap || !is_heap_set(list, heap))
        command_list_report_error(
            list, D3D12_MESSAGE_ID_SET_DESCRIPTOR_TABLE_INVALID, method,
            "BaseDescriptor must lie in a heap that SetDescriptorHeaps has set");
    else
        set_argument(root, index, heap->memory.address + (uint64_t)first * DESCRIPTOR_SIZE, true);
}

/* ---- the methods, of dispatches and of draws ---- */

#define ROOT_VIEW_METHOD(Point, draws, View, view)                                                 \
    void STDMETHODCALLTYPE d3d12_command_list_Set##Point##Root##View(                              \
        list_iface *iface, UINT index, D3D12_GPU_VIRTUAL_ADDRESS address)                          \
    {                                                                                              \
        set_view(iface, draws, &view, index, address, "Set" #Point "Root" #View);                  \
    }
#define ROOT_METHODS(Point, draws)                                                                 \
    void STDMETHODCALLTYPE d3d12_command_list_Set##Point##RootSignature(                           \
        list_iface *iface, ID3D12RootSignature *signature)                                         \
    {                                                                                              \
        set_signature(iface, signature, draws);                                                    \
    }                                                                                              \
    void STDMETHODCALLTYPE d3d12_command_list_Set##Point##RootDescriptorTable(                     \
        list_iface *iface, UINT index, D3D12_GPU_DESCRIPTOR_HANDLE handle)                         \
    {                                                                                              \
        set_table(iface, draws, index, handle, "Set" #Point "RootDescriptorTable");                \
    }                                                                                              \
    void STDMETHODCALLTYPE d3d12_command_list_Set##Point##Root32BitConstants(                      \
        list_iface *iface, UINT index, UINT count, const void *values, UINT first)                 \
    {                                                                                              \
        set_constants(iface, draws, index, count, values, first,                                   \
                      "Set" #Point "Root32BitConstants");                                          \
    }                                                                                              \
    void STDMETHODCALLTYPE d3d12_command_list_Set##Point##Root32BitConstant(                       \
        list_iface *iface, UINT index, UINT value, UINT first)                                     \
    {                                                                                              \
        set_constants(iface, draws, index, 1, &value, first, "Set" #Point "Root32BitConstant");    \
    }                                                                                              \
    ROOT_VIEW_METHOD(Point, draws, ConstantBufferView, constant_buffer_view)                       \
    ROOT_VIEW_METHOD(Point, draws, ShaderResourceView, shader_resource_view)                       \
    ROOT_VIEW_METHOD(Point, draws, UnorderedAccessView, unordered_access_view)

ROOT_METHODS(Compute, false)
ROOT_METHODS(Graphics, true)

/* ---- bundles ---- */

static bool check_heaps(const struct d3d12_command_list *list,
                        const struct d3d12_command_list *bundle)
{
    const bool sets = bundle->heaps[0] != 0 || bundle->heaps[1] != 0;
    for (int i = 0; i < 2; i++) {
        const uint64_t needed = sets ? bundle->heaps[i] : bundle->assumed_heaps[i];
        if ((sets || needed != 0) && needed != list->heaps[i])
            return false;
    }
    return true;
}

static bool check_assumptions(const struct root_bindings *caller,
                              const struct root_bindings *bundle)
{
    for (UINT i = 0; i < ROOT_PARAMETERS_MAX; i++)
        if (bundle->assumed >> i & 1 &&
            !has_parameter(&caller->layout, i, bundle->layout.parameters[i].type,
                           bundle->layout.parameters[i].constants))
            return false;
    return true;
}

bool command_list_check_inheritance(struct d3d12_command_list *list,
                                    const struct d3d12_command_list *bundle)
{
    if (!check_heaps(list, bundle))
        return command_list_report_error(
            list, D3D12_MESSAGE_ID_EXECUTE_BUNDLE_DESCRIPTOR_HEAP_MISMATCH, "ExecuteBundle",
            "the bundle's descriptor heaps differ from the list's descriptor heaps");
    for (int draws = 0; draws < 2; draws++) {
        const struct root_bindings *caller = &list->roots[draws];
        const struct root_bindings *callee = &bundle->roots[draws];
        if (callee->has_signature || (!callee->inherits && callee->assumed == 0))
            continue;
        if (caller->has_signature && check_assumptions(caller, callee))
            continue;
        return command_list_report_error(
            list,
            !caller->has_signature
                ? (draws ? D3D12_MESSAGE_ID_COMMAND_LIST_DRAW_ROOT_SIGNATURE_NOT_SET
                         : D3D12_MESSAGE_ID_COMMAND_LIST_DISPATCH_ROOT_SIGNATURE_NOT_SET)
                : (draws ? D3D12_MESSAGE_ID_COMMAND_LIST_DRAW_ROOT_SIGNATURE_MISMATCH
                         : D3D12_MESSAGE_ID_COMMAND_LIST_DISPATCH_ROOT_SIGNATURE_MISMATCH),
            "ExecuteBundle",
            "the bundle inherits the list's root signature, but this root signature is missing, or "
            "lacks parameters");
    }
    return true;
}

/* The caller's arguments are the bundle's as long as both have one root signature. */
static bool shares_arguments(const struct root_bindings *caller, const struct root_bindings *bundle)
{
    return !bundle->has_signature ||
           (caller->has_signature && root_layouts_match(&caller->layout, &bundle->layout));
}

void command_list_lend_roots(struct d3d12_command_list *list,
                             const struct d3d12_command_list *bundle)
{
    static const emu_dispatch nothing;
    for (int draws = 0; draws < 2; draws++)
        if (bundle->roots[draws].inherits)
            list->child.device->driver->cmd_bindings(list->driver,
                                                     shares_arguments(&list->roots[draws],
                                                                      &bundle->roots[draws])
                                                         ? &list->roots[draws].bound
                                                         : &nothing,
                                                     draws != 0);
}

static void take_arguments(emu_dispatch *to, const emu_dispatch *from)
{
    for (UINT i = 0; i < ARGUMENTS; i++)
        if ((from->inherited & 1u << i) == 0) {
            to->arguments[i] = from->arguments[i];
            to->descriptors &= ~(1u << i);
            to->descriptors |= from->descriptors & 1u << i;
        }
    for (UINT i = 0; i < CONSTANTS; i++)
        if ((from->inherited & INHERIT_CONSTANT(i)) == 0)
            to->constants[i] = from->constants[i];
}

void command_list_take_roots(struct d3d12_command_list *list,
                             const struct d3d12_command_list *bundle)
{
    for (int draws = 0; draws < 2; draws++) {
        struct root_bindings *to = &list->roots[draws];
        const struct root_bindings *from = &bundle->roots[draws];
        if (!shares_arguments(to, from)) {
            to->has_signature = true;
            to->layout = from->layout;
            forget_arguments(list, to);
        }
        take_arguments(&to->bound, &from->bound);
    }
}
