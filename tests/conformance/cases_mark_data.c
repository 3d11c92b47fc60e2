/* ANN-MARK-09: the payload that the driver sees is the runtime's own, and stays. */
#include "kit.h"

CASES(mark_data_cases, "mark");

enum { MARKERS = 600, LARGEST = 900 };

static UINT size_of(unsigned number)
{
    return 1 + number * 7 % LARGEST;
}

static void fill(unsigned char *payload, unsigned number)
{
    for (UINT i = 0; i < size_of(number); i++)
        payload[i] = (unsigned char)(number * 31 + i);
}

/* The application frees its memory as soon as the call is over, and something else takes it. */
static void set_from_memory_that_goes(const struct kit_list *list, ID3D12CommandQueue *queue,
                                      unsigned number)
{
    unsigned char *payload = malloc(size_of(number));
    REQUIRE(payload);
    fill(payload, number);
    if (queue)
        ID3D12CommandQueue_SetMarker(queue, number, payload, size_of(number));
    else if (number % 2)
        kit_begin(list, number, payload, size_of(number));
    else
        kit_set(list, number, payload, size_of(number));
    EXPECT(spy_last()->data != payload);
    memset(payload, 0xEE, size_of(number));
    free(payload);
}

static void expect_kept(unsigned count)
{
    unsigned char wanted[LARGEST];
    for (unsigned i = 0; i < count; i++) {
        fill(wanted, i);
        EXPECT_BYTES(spy_at(i)->data, wanted, size_of(i));
    }
}

CASE(a_lists_payloads_are_copies, "ANN-MARK-09",
     "A driver that keeps the pointer reads what the application wrote there later, or memory that "
     "was freed (a decision of this project).",
     .needs = SPY, .rows = kit_list_rows)
{
    OPEN_SPIED_LIST((D3D12_COMMAND_LIST_TYPE)case_row());
    for (unsigned i = 0; i < MARKERS; i++)
        set_from_memory_that_goes(&list, NULL, i);
    expect_kept(MARKERS);
    kit_list_close(&list);
    expect_kept(MARKERS);
}

CASE(a_lists_payloads_stay_until_its_allocator_is_reset, "ANN-MARK-09",
     "Payloads are freed with the list's Reset or Release, while the GPU still works on them.",
     .needs = SPY, .rows = kit_list_rows)
{
    const D3D12_COMMAND_LIST_TYPE type = (D3D12_COMMAND_LIST_TYPE)case_row();
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    struct kit_list list = kit_list(device, type), other = kit_list(device, type);
    for (unsigned i = 0; i < MARKERS; i++)
        set_from_memory_that_goes(&list, NULL, i);
    kit_list_close(&list);
    kit_list_reset(&list);
    for (unsigned i = 0; i < MARKERS; i++)
        kit_set(&list, 1, "the same allocator's next recording", 36);
    expect_kept(MARKERS);
    kit_list_close(&list);
    kit_release(list.list);
    list.list = NULL;
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < MARKERS; i++)
            kit_set(&other, 1, "another allocator, which is reset", 34);
        kit_list_close(&other);
        REQUIRE_OK(ID3D12CommandAllocator_Reset(other.allocator));
        kit_list_reset(&other);
    }
    kit_list_done(&other);
    expect_kept(MARKERS);
    kit_list_done(&list);
}

CASE(payloads_of_executed_lists_stay, "ANN-MARK-09",
     "Payloads are freed when the list was submitted or has completed, and a driver that looks for "
     "its last marker finds none.",
     .needs = SPY, .drivers = ANNOTATING_DRIVERS)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED_LIST list = kit_list(device, DIRECT);
    for (unsigned i = 0; i < MARKERS; i++)
        set_from_memory_that_goes(&list, NULL, i);
    kit_execute(queue, &list);
    expect_kept(MARKERS);
    kit_wait(device, queue);
    expect_kept(MARKERS);
    kit_release(queue);
    expect_kept(MARKERS);
}

CASE(a_queues_payloads_are_copies, "ANN-MARK-09 ANN-MARK-02",
     "A driver that keeps a queue marker's pointer reads memory that was freed.", .needs = SPY,
     .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[case_row()]);
    for (unsigned i = 0; i < MARKERS; i++)
        set_from_memory_that_goes(NULL, queue, i);
    expect_kept(MARKERS);
    kit_wait(device, queue);
    expect_kept(MARKERS);
}
