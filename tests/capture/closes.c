/* A program that closes descriptors which it didn't open, as daemons do, and has files of its own
 * in their numbers. It writes nothing into these, and ends with 1 if there is something in one.
 *
 *   closes           the trace keeps its name
 *   closes unlink    ... and is removed, so that nobody can open it anew
 */
#define INITGUID
#include "../../examples/setup.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 600 };

static void close_others(void)
{
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
}

static void work(ID3D12Device *device)
{
    ID3D12CommandQueue *queue = make_queue(device, D3D12_COMMAND_LIST_TYPE_DIRECT, L"Graphics");
    ID3D12CommandAllocator *allocator = make_allocator(device, D3D12_COMMAND_LIST_TYPE_DIRECT);
    ID3D12GraphicsCommandList *list =
        make_list(device, allocator, D3D12_COMMAND_LIST_TYPE_DIRECT, L"Frame");
    ID3D12Fence *fence = make_fence(device);
    for (int frame = 1; frame < 60; frame++) {
        for (int marker = 0; marker < 300; marker++)
            PIXSetMarker(list, 0, "marker %d of frame %d", marker, frame);
        MUST(ID3D12GraphicsCommandList_Close(list));
        execute(queue, 1, &list);
        ID3D12CommandQueue_Signal(queue, fence, (UINT64)frame);
        ID3D12Fence_SetEventOnCompletion(fence, (UINT64)frame, NULL);
        MUST(ID3D12CommandAllocator_Reset(allocator));
        MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    }
}

int main(int argc, char **argv)
{
    static int own[FILES];
    char name[32];
    int touched = 0;
    ID3D12Device *device = make_device();
    const char *trace = getenv("ANNOT_CAPTURE_FILE");
    if (argc > 1 && strcmp(argv[1], "unlink") == 0 && trace)
        unlink(trace);
    close_others();
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "own%d.bin", i);
        own[i] = open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
    }
    work(device);
    for (int i = 0; i < FILES; i++) {
        struct stat status;
        if (fstat(own[i], &status) != 0 || status.st_size != 0)
            touched++;
    }
    printf("%d files of the program's have what it did not write\n", touched);
    return touched != 0;
}
