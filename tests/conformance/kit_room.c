#include "kit_room.h"

static struct kit_list ballast;

annot_device_stats kit_stats(ID3D12Device *device)
{
    annot_device_stats now;
    the_runtime.get_stats(kit_annot(device), &now);
    return now;
}

/* Markers of `size` bytes as long as more than `room` is left. */
static void fill(ID3D12Device *device, UINT size, uint64_t room)
{
    static const char bytes[1 << 20];
    REQUIRE(size <= sizeof bytes);
    while (kit_stats(device).live_bytes + room < KIT_BUDGET) {
        kit_set(&ballast, 1, bytes, size);
        spy_forget();
        REQUIRE_EQ(kit_stats(device).dropped_markers, 0);
    }
}

ID3D12Device *kit_device_with_room(uint64_t room)
{
    ID3D12Device *device = kit_spied_device(RETAIL);
    ballast = kit_list(device, DIRECT);
    fill(device, 1 << 20, room + (2 << 20));
    fill(device, 4000, room);
    return device;
}

void kit_device_with_room_done(ID3D12Device **device)
{
    kit_list_done(&ballast);
    kit_device_done(*device);
}
