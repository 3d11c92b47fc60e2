#!/usr/bin/env python3
# Twenty-one DirectX dump files of the kinds that Windows writes, made here by the text of the public DXDumpFileFormat.h; no
# file is a real one. Each begins with what a person wants to read of it; `annot show` has to say that, as text and as JSON.
#   dxdmp_files.py ANNOT FOLDER
import json
import os
import struct
import subprocess
import sys

import dxdmp_layout

HUNG, FAULT, UNKNOWN = 7, 9, 0x88000000
SET, BEGIN, END, DRAW, DISPATCH, COPY, BARRIER = 0, 1, 2, 3, 6, 7, 15
NONE = 2**64 - 1
PLACED, COMMITTED, RESERVED = 0, 1, 3


class Made:
    def __init__(self, error):
        self.error, self.body, self.ids, self.keys = error, b"", {}, 0x7000

    def typed(self, kind, data):
        self.body += struct.pack("<4sIQ", kind.encode(), 0, len(data)) + data

    def memory(self, kind, key, data):
        padded = data + bytes(-len(data) % 8)
        self.typed("Memr", struct.pack("<4sIQQ", kind.encode(), 0, len(data), key) + padded)

    def name(self, text):
        if text is None:
            return NONE
        if text not in self.ids:
            self.ids[text] = len(self.ids) + 1
            self.memory("WSTR", self.ids[text], text.encode("utf-16-le") + b"\0\0")
        return self.ids[text]

    def dred_name(self, text):
        self.keys += 0x10
        self.memory("DRWS", self.keys, text.encode("utf-16-le") + b"\0\0")
        return self.keys

    def application(self):
        self.typed("ApDs", struct.pack("<QQQQQ16s", self.name("Game.exe"), self.name("Game"), 1 << 48, NONE, 0, bytes(16)))

    def dred(self, state, reason):
        self.typed("DRIN", struct.pack("<III", 4, state, reason))

    def fault(self, address):
        self.typed("DRPF", struct.pack("<QII", address, 0, 0))

    def allocation(self, kind, text, of, address=0):
        self.typed(kind, struct.pack("<QQIIQ", 0, self.dred_name(text), of, 0, address))

    def array(self, kind, elements, blob=b""):
        self.memory(kind, len(elements), b"".join(elements) + blob)

    def resource(self, address, text, at, width, heap=COMMITTED, of=0, dimension=1):
        return struct.pack("<QQQQQIIiIQQIHHIIIIIIII16s", address, self.name(text), address + 1, at, of, heap, 0, dimension, 0,
                           65536, width, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0, bytes(16))

    def node(self, text, queue, ops, done, contexts=(), address=0x100):
        """`contexts`: (operation, words)."""
        names = [self.dred_name(text), self.dred_name(queue)]
        strings = [(op, self.dred_name(words)) for op, words in contexts]
        self.keys += 0x10
        history = self.keys
        self.memory("DCHR", history, struct.pack("<%dI" % len(ops), *ops))
        key = 0
        if strings:
            self.keys += 0x10
            key = self.keys
            self.memory("DBCC", key, b"".join(struct.pack("<IIQ", op, 0, of) for op, of in strings))
        self.typed("DRBN", struct.pack("<QQQQQQIIQIIQ", 0, names[0], 0, names[1], address, 0xBB, len(ops), 0, history, done,
                                       len(strings), key))

    def annotations(self, owners):
        """`owners`: (AACA or AACQ, handle, first ID, words of each)."""
        rows = [(first + i, text) for _, _, first, words in owners for i, text in enumerate(words)]
        self.array("ApAn", [struct.pack("<QIB3x", at, 1, 1) for at, _ in rows])
        for at, text in rows:
            self.memory("AADT", at, text.encode() + b"\0")
        for kind, handle, first, words in owners:
            self.memory(kind, 0, struct.pack("<QQ%dQ" % len(words), handle, len(words), *range(first, first + len(words))))

    def bytes(self):
        head = struct.pack("<4sI16sIIIII", b"mDpG", 1, bytes(range(16)), self.error, 0xD53E8000, 0x01DC0000, 0, 0)
        return head + bytes(256 - len(head)) + self.body


# ---- faults ----

def faulted(address):
    made = Made(FAULT)
    made.application()
    made.dred(7, 0x887A0006)
    made.fault(address)
    return made


def live(at, heap=COMMITTED, of=0, text="Cluster light list"):
    made = faulted(at)
    made.array("DRs0", [made.resource(0x1000, text, 0x200000000, 65536, heap, of),
                        made.resource(0x2000, "Far away", 0x900000000, 256),
                        made.resource(0x3000, "Shadow map", 0, 512, dimension=3)])
    return made


def fault_live():
    return live(0x200001100)


def fault_beyond():
    return live(0x200010200)


def fault_before():
    return live(0x1FFFFFF00)


def fault_freed():
    made = live(0x400000040)
    made.allocation("DFAN", "Old lights", 34, 0x5000)
    return made


def fault_placed():
    made = live(0x200001100, PLACED, 0x8000)
    made.array("DHp0", [struct.pack("<QQQQIIIIIIQII", 0x8000, made.name("Streaming heap"), 0x8001, 1 << 26, 1, 0, 0, 1, 1, 0,
                                    65536, 0, 0)])
    return made


def fault_reserved():
    return live(0x200001100, RESERVED, text="Virtual texture pages")


def fault_nowhere():
    return live(0x700000000)


def fault_null():
    return live(0x40)


def fault_untold():
    return faulted(0x200001100)


# ---- hangs ----

FRAME = [BEGIN, DRAW, BEGIN, DISPATCH, COPY, END, END]


def hung():
    made = Made(HUNG)
    made.application()
    made.dred(3, 0x887A0006)
    return made


def hang_operation():
    made = hung()
    made.node("Main list", "Graphics", FRAME, 3, [(0, "Frame 7"), (2, "Shadows")])
    return made


def joined(counts, contexts=()):
    made = hung()
    made.node("Main list", "Graphics", FRAME, 3, contexts, 0x100)
    made.node("Sky list", "Graphics", [SET, DRAW], 0, (), 0x200)
    made.annotations([("AACA", 0x50 + i, 0x101 + 16 * i, ["Frame 7", "Shadows", "Third"][:count] if count > 1 else ["Sky"])
                      for i, count in enumerate(counts)])
    return made


def hang_named_by_allocators():
    return joined([1, 2])


def hang_with_a_third_allocator():
    return joined([1, 2, 3])


def hang_with_equal_counts():
    made = hung()
    for i in range(2):
        made.node("list %d" % i, "Graphics", FRAME, 3, (), 0x100 + i)
    made.annotations([("AACA", 0x50 + i, 0x101 + 16 * i, ["Frame %d" % i, "Pass %d" % i]) for i in range(2)])
    return made


def hang_without_dred():
    made = Made(HUNG)
    made.annotations([("AACA", 0x55, 0x101, ["Frame 7", "Shadows", "Cascade 2"]), ("AACQ", 0x11, 0x201, ["Present"])])
    made.array("DCQ0", [struct.pack("<QQQIiII", 0x10, made.name("Graphics"), 0x11, 0, 0, 0, 1)])
    return made


def hang_among_idle_lists():
    made = hung()
    for i in range(30):
        made.node("Culling list" if i == 17 else "list %d" % i, "Graphics", [DISPATCH, BARRIER, DISPATCH], int(i == 17), (),
                  0x100 + i)
    return made


def hang_behind_a_fence():
    made = hung()
    made.node("Main list", "Graphics", FRAME, 7)
    made.array("DFn0", [struct.pack("<QQQIIQ", 0x3000 + i, made.name(text), 0x3001, 0, 0, value)
                        for i, (text, value) in enumerate([("Copy fence", 41), ("Frame fence", 7)])])
    return made


# ---- other losses, and what else is in a file ----

def journal(made, words):
    made.array("D3JR", [struct.pack("<IIIIQQQQQQ", 1416 + i, 77, 123456, 0, 1, 2, 3, 4, 0xABC, made.name(text))
                        for i, text in enumerate(words)])


def refused():
    made = Made(UNKNOWN)
    made.dred(0, 0x887A0001)
    journal(made, ["CreateCommittedResource: no such heap type", "Device removed"])
    return made


def driver_failed():
    made = Made(UNKNOWN)
    made.dred(0, 0x887A0020)
    return made


def system():
    made = hung()
    made.typed("DvCf", struct.pack("<IIII", 0x1 | 0x8 | 0x40, 0, 620, 0))
    made.typed("DCAC", struct.pack("<iIIII", 1, 2, 0x7F, 0x41, 1))
    made.typed("OSI0", struct.pack("<IIIIHHHBBIIQ", 10, 0, 26100, 2, 0, 0, 256, 1, 0, 48, 1, made.name("26100.1.amd64fre")))
    made.typed("SMI0", struct.pack("<QQQQQQIHH", 32 << 30, 8 << 30, 48 << 30, 16 << 30, 1 << 47, 1 << 46, 75, 34, 6000))
    made.typed("CPI0", struct.pack("<IIIIB3xIQ", 1, 9, 16, 4096, 1, 0, 10000000)
               + struct.pack("<IIIIQQQ", 0, 8, 16, 4200, made.name("A processor"), made.name("AVendor"), NONE))
    made.typed("AdIn", "A card".encode("utf-16-le").ljust(256, b"\0")
               + struct.pack("<IIIIQQQIiIIII", 0x10DE, 0x2684, 0x1234, 161, 24 << 30, 0, 16 << 30, 5, 0, 0, 1, 1, 0)
               + struct.pack("<QQQQQII", 32 << 48 | 15 << 16 | 6603, 23 << 30, 22 << 30, 1 << 30, 15 << 30, 0xB000, 0))
    return made


def code():
    made = hung()
    with_bytes = [struct.pack("<QQQIIQQ", 0x4000, made.name("Light culling"), 0x4001, 0, 1, 0, 12),
                  struct.pack("<QQQIIQQ", 0x4100, made.name("Tonemap"), 0x4101, 0, 1, 12, 20)]
    made.array("DPS0", with_bytes, bytes(range(32)))
    made.array("DSO0", [struct.pack("<QQQIIQQ", 0x4200, made.name("Ray tracing"), 0x4201, 3, 2, 0, 8)], b"subobjec")
    made.array("DRS0", [struct.pack("<QQQQQ", 0x4300, made.name("Global root"), 0x4301, 0, 16)], bytes(16))
    made.array("DDH0", [struct.pack("<QQQIIII", 0x4400, made.name("Textures"), 0x4401, 0, 1024, 1, 1)])
    made.array("DGO0", [struct.pack("<QQII", 0x4500, made.name("Timings"), 10, 0)])
    made.memory("ApBl", 0xC0FFEE, b"engine log: last pass Cluster lights")
    made.memory("UmBl", 0, b"driver's bytes")
    made.memory("KmBl", 0, bytes(100))
    return made


def cut():
    return live(0x200001100)


# (file, what a person wants to read, what must not be said, the kind of failure and its certainty)
FILES = (
    (fault_live, ["0x200001100", "4352 bytes into \"Cluster light list\"", "committed", "65536 bytes at 0x200000000",
                  "DRED's breadcrumbs were not on"], ["in no object", "everything finished"], "fault_live", "certain"),
    (fault_beyond, ["512 bytes past the end of \"Cluster light list\"", "index out of bounds"], ["resident"],
     "fault_beyond", "likely"),
    (fault_before, ["256 bytes before \"Cluster light list\"", "index out of bounds"], ["past the end"], "fault_beyond", "likely"),
    (fault_freed, ["freed \"Old lights\"", "memory was freed", "destroyed"], ["\"Cluster light list\" (freed"], "fault_freed",
     "certain"),
    (fault_placed, ["4352 bytes into \"Cluster light list\"", "placed",
                    "\"Streaming heap\" has 67108864 bytes, of type default; the buffer at or next to the fault"], [], "fault_live", "certain"),
    (fault_reserved, ["4352 bytes into \"Virtual texture pages\"", "reserved", "is the tile mapped?"], ["resident"],
     "fault_live", "certain"),
    (fault_nowhere, ["0x700000000", "in no object, and no object is near", "out of date"], ["bytes past"], "fault_nowhere", "likely"),
    (fault_null, ["0x40", "a null address"], ["bytes before"], "fault_nowhere", "likely"),
    (fault_untold, ["0x200001100"], ["in no object", "Cluster"], "fault", "certain"),
    (hang_operation, ["Dispatch", "Frame 7 / Shadows", "\"Main list\"", "queue \"Graphics\"", "4 of 7 is not done",
                      "3 is done: BeginEvent", "5 CopyBufferRegion"], ["everything finished"], "hang_operation", "likely"),
    (hang_named_by_allocators, ["Frame 7 / Shadows", "Dispatch", "0x112", "Sky", "names from the allocators"],
     ["recorded, but not submitted"], "hang_operation", "likely"),
    (hang_with_a_third_allocator, ["Dispatch", "4 of 7 is not done", "recorded, but not submitted", "Third"],
     ["Frame 7 / Shadows", "names from the allocators"], "hang_operation", "likely"),
    (hang_with_equal_counts, ["\"list 0\"", "4 of 7 is not done", "recorded, but not submitted", "Pass 1"],
     ["Frame 0 / Pass 0", "Frame 1 / Pass 1", "names from the allocators"], "hang_operation", "likely"),
    (hang_without_dred, ["where is unknown", "Frame 7", "Shadows", "Cascade 2", "Present", "queue \"Graphics\"",
                         "breadcrumbs were not on"], ["everything finished", "not started --", "stopped"], "hang", "unknown"),
    (hang_among_idle_lists, ["list \"Culling list\"", "2 of 3 is not done: ResourceBarrier", "1 is done: Dispatch",
                             "29 more submissions of unknown state"], ["\"list 3\""], "hang_operation", "likely"),
    (hang_behind_a_fence, ["\"Copy fence\" is at 41", "\"Frame fence\" is at 7"], ["is not done"], "hang_queue", "likely"),
    (refused, ["CreateCommittedResource: no such heap type", "number 1416, thread 77, tick 123456, caller 0xabc",
               "DXGI_ERROR_INVALID_CALL"], ["GPU HANG"], "refused", "certain"),
    (driver_failed, ["DXGI_ERROR_DRIVER_INTERNAL_ERROR"], ["GPU HANG", "PAGE FAULT"], "lost", "unknown"),
    (system, ["A card", "32.0.15.6603", "vendor 0x10de (NVIDIA), device 0x2684", "24576 MiB dedicated",
              "23552 MiB used, of a budget of 22528 MiB", "1024 MiB used, of a budget of 15360 MiB", "11_0", "26100.1.amd64fre",
              "developer mode", "32768 MiB, 8192 MiB free", "49152 MiB, 16384 MiB free", "A processor", "cores: 8, threads: 16",
              "debug layer", "DRED breadcrumbs", "SDK 620", "no overhead, event markers", "dump tier 2"], [], "hang", "unknown"),
    (code, ["\"Light culling\" has 12 bytes", "\"Tonemap\" has 20 bytes", "\"Ray tracing\" has 8 bytes",
            "\"Global root\" has 16 bytes", "\"Textures\" has 1024 descriptors", "application 36 bytes (metadata 0xc0ffee)",
            "driver 14 bytes", "kernel 100 bytes"], [], "hang", "unknown"),
    (cut, ["the file ends inside a section", "0x200001100"], ["fault_nowhere"], None, None),
)


def words(text):
    return " ".join(text.split())


def check(annot, folder, make, said, not_said, kind, certainty):
    wrong = []
    path = os.path.join(folder, make.__name__ + ".dxdmp")
    data = make().bytes()
    with open(path, "wb") as file:
        file.write(data[:len(data) - 100] if kind is None else data)
    if kind is not None and dxdmp_layout.broken(path):
        wrong.append(dxdmp_layout.broken(path))

    def run(*arguments):
        return subprocess.run([annot, "show", path, *arguments], capture_output=True, text=True, check=False)
    text, as_json = run("--output", "text"), run("--output", "json")
    code = 1 if kind is None else 0
    if text.returncode != code or as_json.returncode != code:
        wrong.append("exit codes %d and %d" % (text.returncode, as_json.returncode))
    for part in said:
        if part not in words(text.stdout):
            wrong.append("is not said: " + part)
    for part in not_said:
        if part in words(text.stdout):
            wrong.append("is said: " + part)
    report = json.loads(as_json.stdout)
    failure = report["failure"]
    if kind is not None and (failure["kind"], failure["certainty"]) != (kind, certainty):
        wrong.append("the kind is %s, %s" % (failure["kind"], failure["certainty"]))
    flat = json.dumps(report)
    for part in said:  # names and addresses are in both
        for quoted in part.split("\"")[1::2]:
            if quoted not in flat:
                wrong.append("JSON does not have " + quoted)
    for line in wrong:
        print("%s: %s" % (make.__name__, line))
    if wrong:
        print(text.stdout, text.stderr)
    return not wrong


def main(annot, folder):
    good = [check(annot, folder, *row) for row in FILES]
    path, blob = os.path.join(folder, "code.dxdmp"), os.path.join(folder, "blob")
    subprocess.run([annot, "show", path, "--blob", "0", "-o", blob], check=True)
    with open(blob, "rb") as file:
        good.append(file.read() == b"engine log: last pass Cluster lights")
    print("%d of %d files say what they should" % (sum(good), len(good)))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
