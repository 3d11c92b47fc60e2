#!/usr/bin/env python3
# Reads a DirectX dump file by the text of the public DXDumpFileFormat.h (DirectX-Headers, v1.721.1-preview) alone: it
# knows nothing of this project's reader. Each struct is written down as the header declares it, and the rules of C give
# the offsets; the header's static_asserts give the sizes.
#   dxdmp_layout.py FILE        prints each field as `section[index].field = value`; the exit code is 1 for a file that
#                               breaks the layout, and the first line says how
import struct
import sys

STRUCTS = {  # name: (size by the static_assert, fields in order)
    "APPLICATION_DESC": (56, "Q:ExeFilename Q:Name Q:Version Q:EngineName Q:EngineVersion 16s:AppId"),
    "DEVICE_CONFIGURATION_DESC": (16, "I:Flags I:GpuBasedValidationFlags I:SDKVersion I:NumEnabledExperimentalFeatures"),
    "CAPS_AND_CONFIG": (20, "i:Supported i:Tier I:OptionsMask I:DriverOptions I:FlagBits"),
    "ADAPTER_INFO": (368, "256w:Description I:VendorId I:DeviceId I:SubSysId I:Revision Q:DedicatedVideoMemory "
                     "Q:DedicatedSystemMemory Q:SharedSystemMemory I:LuidLow i:LuidHigh I:Flags I:GraphicsPreemption "
                     "I:ComputePreemption Q:DriverVersion Q:DedicatedUsed Q:DedicatedBudget Q:SystemUsed Q:SystemBudget "
                     "I:MinimumFeatureLevel"),
    "OS_INFO": (40, "I:Major I:Minor I:Build I:PlatformId H:ServicePackMajor H:ServicePackMinor H:SuiteMask B:ProductType "
                "B:Reserved I:ProductEdition I:FlagBits Q:OSDescription"),
    "SYSTEM_MEMORY_INFO": (56, "Q:TotalPhysical Q:AvailablePhysical Q:TotalPageFile Q:AvailablePageFile Q:TotalVirtual "
                           "Q:AvailableVirtual I:MemoryLoad H:MemoryType H:MemorySpeedMTs"),
    "CPU_INFO": (32, "I:PackageCount I:Architecture I:TotalLogical I:PageSize B:Virtualization 3s:Reserved I:Reserved2 "
                 "Q:TimestampClockFrequencyHz"),
    "CPU_PACKAGE_INFO": (40, "I:Index I:Cores I:Logical I:MaxClockMHz Q:ProcessorName Q:VendorString Q:DeviceString"),
    "DRED_INFO": (12, "I:Version I:DeviceState I:Reason"),
    "NODE1": (80, "Q:ListNameA Q:ListNameW Q:QueueNameA Q:QueueNameW Q:List Q:Queue I:BreadcrumbCount Q:History "
              "I:LastBreadcrumbValue I:ContextsCount Q:Contexts"),
    "CONTEXT": (16, "I:Index Q:String"),
    "PAGE_FAULT_INFO": (16, "Q:VA I:Flags"),
    "ALLOCATION_NODE1": (32, "Q:NameA Q:NameW I:Type Q:Object"),
    "JOURNAL_ENTRY": (64, "I:Code I:ThreadID I:TickCount Q:Stack0 Q:Stack1 Q:Stack2 Q:EntryPoint Q:Caller Q:Message"),
    "DEVICE": (4, "I:MinimumFeatureLevel"),
    "RESOURCE": (128, "Q:Address Q:Name Q:Handle Q:GpuVirtualAddress Q:HeapAddress I:HeapType | i:Dimension Q:Alignment "
                 "Q:Width I:Height H:DepthOrArraySize H:MipLevels I:Format I:SampleCount I:SampleQuality I:Layout I:Flags "
                 "I:MipRegionWidth I:MipRegionHeight I:MipRegionDepth 16s:LayoutGuid"),
    "ROOT_SIGNATURE": (40, "Q:Address Q:Name Q:Handle Q:Offset Q:Size"),
    "WITH_SUBOBJECTS": (48, "Q:Address Q:Name Q:Handle I:Type I:SubobjectsCount Q:SubobjectsOffset Q:SubobjectsSize"),
    "DESCRIPTOR_HEAP": (40, "Q:Address Q:Name Q:Handle I:Type I:NumDescriptors I:Flags I:NodeMask"),
    "HEAP": (72, "Q:Address Q:Name Q:Handle Q:SizeInBytes I:Type I:CPUPageProperty I:MemoryPool I:CreationNodeMask "
             "I:VisibleNodeMask Q:Alignment I:Flags"),
    "FENCE": (40, "Q:Address Q:Name Q:Handle I:Flags I:Reserved Q:CompletedValue"),
    "COMMAND_QUEUE": (40, "Q:Address Q:Name Q:Handle I:Type i:Priority I:Flags I:NodeMask"),
    "COMMAND_LIST": (32, "Q:Address Q:Name Q:Handle I:Type I:NodeMask"),
    "COMMAND_ALLOCATOR": (32, "Q:Address Q:Name Q:Handle I:Type I:Reserved"),
    "GENERIC": (24, "Q:Address Q:Name I:Type I:Reserved"),
    "ANNOTATION": (16, "Q:ID I:Metadata B:Type"),
    "ID_MAP": (16, "Q:Handle Q:Count"),
}
TYPED = {"ApDs": "APPLICATION_DESC", "DvCf": "DEVICE_CONFIGURATION_DESC", "DCAC": "CAPS_AND_CONFIG", "AdIn": "ADAPTER_INFO",
         "OSI0": "OS_INFO", "SMI0": "SYSTEM_MEMORY_INFO", "CPI0": "CPU_INFO", "DRIN": "DRED_INFO", "DRBN": "NODE1",
         "DRPF": "PAGE_FAULT_INFO", "DEAN": "ALLOCATION_NODE1", "DFAN": "ALLOCATION_NODE1"}
ARRAYS = {"D3JR": "JOURNAL_ENTRY", "DRs0": "RESOURCE", "DRS0": "ROOT_SIGNATURE", "DDH0": "DESCRIPTOR_HEAP", "DHp0": "HEAP",
          "DFn0": "FENCE", "DCQ0": "COMMAND_QUEUE", "DCL0": "COMMAND_LIST", "DCA0": "COMMAND_ALLOCATOR", "DGO0": "GENERIC",
          "DPS0": "WITH_SUBOBJECTS", "DSO0": "WITH_SUBOBJECTS", "ApAn": "ANNOTATION"}
TABLES = {"DRS0": ("Offset", "Size"), "DPS0": ("SubobjectsOffset", "SubobjectsSize"), "DSO0": ("SubobjectsOffset", "SubobjectsSize")}
STRINGS = {"ExeFilename", "Name", "EngineName", "OSDescription", "ProcessorName", "VendorString", "DeviceString", "Message"}
NO_STRING = 2**64 - 1


class Broken(Exception):
    pass


def need(condition, *words):
    if not condition:
        raise Broken(" ".join(map(str, words)))


def layout(name):
    """[(offset, format, field)], by C's rules: a field is aligned to its size, a struct to its largest field."""
    size, text = STRUCTS[name]
    at, largest, fields = 0, 1, []
    for part in text.split():
        if part == "|":  # a struct inside this one begins, which has a field of 8 bytes
            at = -(-at // 8) * 8
            continue
        kind, field = part.split(":")
        one = {"16s": 4, "256w": 2, "3s": 1}.get(kind) or struct.calcsize("<" + kind)
        whole = {"256w": 256}.get(kind) or struct.calcsize("<" + kind)
        at = -(-at // one) * one
        fields.append((at, kind, field))
        at, largest = at + whole, max(largest, one)
    need(-(-at // largest) * largest == size, name, "is not as large as the header says")
    return fields


def unpack(name, data, at=0):
    need(len(data) - at >= STRUCTS[name][0], name, "is cut")
    found, covered = {}, set()
    for offset, kind, field in layout(name):
        size = 256 if kind == "256w" else struct.calcsize("<" + kind)
        part = data[at + offset:at + offset + size]
        covered.update(range(offset, offset + size))
        if kind == "256w":
            need(b"\0\0" in part[-2:], "the adapter's description has no end")
            found[field] = part.decode("utf-16-le").split("\0")[0]
        else:
            found[field] = struct.unpack("<" + kind, part)[0]
            if kind.endswith("s"):
                found[field] = found[field].hex()
    for i in range(STRUCTS[name][0]):
        need(i in covered or data[at + i] == 0, name, "has a byte in its padding that is not 0")
    return found


def text16(data, what):
    need(len(data) % 2 == 0 and data[-2:] == b"\0\0", what, "has no end")
    return data[:-2].decode("utf-16-le")


class File:
    def __init__(self, data):
        need(len(data) >= 256, "the header is cut")
        signature, version, guid, error = struct.unpack_from("<4sI16sI", data)
        need(signature == b"mDpG" and version == 1, "the header is another one")
        need(not any(data[44:256]), "the header's rest is not 0")
        low, high, uploaded, live = struct.unpack_from("<IIII", data, 28)
        self.header = {"Guid": guid.hex(), "DeviceErrorCode": error, "CreationTime": high << 32 | low,
                       "UploadedToWatson": uploaded, "LiveDebuggingEndStatus": live}
        self.sections, self.strings, self.memory, self.packages = [], {}, {}, []
        at = 256
        while at < len(data):
            need(len(data) - at >= 16, "a section's header is cut")
            kind, padding, size = struct.unpack_from("<4sIQ", data, at)
            need(padding == 0, "a section's header has padding")
            payload = data[at + 16:at + 16 + size]
            need(len(payload) == size, "a section is cut")
            self.section(kind.decode("ascii"), payload)
            at += 16 + size

    def section(self, kind, payload):
        if kind != "Memr":
            need(kind in TYPED, "the section", kind, "is not in the header")
            need(kind == "CPI0" or len(payload) == STRUCTS[TYPED[kind]][0], kind, "has another size")
            value = unpack(TYPED[kind], payload)
            self.sections.append((kind, value))
            if kind == "CPI0":
                need(len(payload) == 32 + 40 * value["PackageCount"], "CPI0 has other packages")
                self.packages = [unpack("CPU_PACKAGE_INFO", payload, 32 + 40 * i) for i in range(value["PackageCount"])]
            return
        need(len(payload) >= 24, "a memory header is cut")
        kind, padding, size, key = struct.unpack_from("<4sIQQ", payload)
        kind = kind.decode("ascii")
        need(padding == 0 and 24 + size <= len(payload) < 24 + size + 8, kind, "has another size")
        need(not any(payload[24 + size:]), kind, "has padding that is not 0")
        data = payload[24:24 + size]
        if kind == "WSTR":
            need(key not in self.strings, "a string's ID comes twice")
            self.strings[key] = text16(data, "a string")
        elif kind in ARRAYS:
            self.array(kind, data, key)
        elif kind in ("AACQ", "AACA"):
            value = unpack("ID_MAP", data)
            need(len(data) == 16 + 8 * value["Count"], kind, "has another count")
            value["Ids"] = struct.unpack_from("<%dQ" % value["Count"], data, 16)
            self.sections.append((kind, value))
        elif kind == "DDv0":
            self.sections.append((kind, unpack("DEVICE", data)))
        else:
            need(kind in ("DRAS", "DRWS", "DCHR", "DBCC", "AADT", "ApBl", "KmBl", "UmBl"), kind, "is not in the header")
            if kind.startswith("D") or kind == "AADT":
                need((kind, key) not in self.memory, "a key of", kind, "comes twice")
            self.memory[kind, key] = data
            if kind.endswith("Bl"):
                self.sections.append((kind, {"Metadata": key, "Size": size, "Bytes": data[:16].hex()}))

    def array(self, kind, data, count):
        size = STRUCTS[ARRAYS[kind]][0]
        need(len(data) == count * size or kind in TABLES and len(data) >= count * size, kind, "has another count")
        blob = data[-(-count * size // 8) * 8:]
        for i in range(count):
            value = unpack(ARRAYS[kind], data, i * size)
            if kind in TABLES:
                offset, length = (value[field] for field in TABLES[kind])
                need(offset + length <= len(blob), kind, "names bytes that it does not have")
                value["Bytes"] = blob[offset:offset + length].hex()
            self.sections.append((kind, value))

    def resolve(self):
        """Puts strings, histories and contexts in the place of their keys."""
        ids = [value["ID"] for kind, value in self.sections if kind == "ApAn"]
        need(len(set(ids)) == len(ids), "an annotation comes twice")
        for kind, value in self.sections + [("CPU package", of) for of in self.packages]:
            for field in STRINGS & set(value):
                if kind != "AdIn":
                    key = value[field]
                    need(key == NO_STRING or key in self.strings or key == 0 and kind in ("ApDs", "CPU package"), kind, field, "names no string")
                    value[field] = self.strings.get(key)
            for field in [name for name in value if name.startswith(("NameA", "NameW")) or name[-5:] in ("NameA", "NameW")]:
                key, of = value[field], "DRAS" if field[-1] == "A" else "DRWS"
                need(key == 0 or (of, key) in self.memory, kind, field, "names no string")
                data = self.memory.get((of, key))
                value[field] = data and (text16(data, field) if of == "DRWS" else data.rstrip(b"\0").decode("ascii"))
            if kind == "DRBN":
                self.node(value)
            if kind == "ApAn":
                need(("AADT", value["ID"]) in self.memory, "an annotation has no data")
                value["Data"] = self.memory["AADT", value["ID"]]
            for one in value.get("Ids", ()):
                need(one in ids, kind, "names an annotation that is not there")

    def node(self, value):
        key, count = value["History"], value["BreadcrumbCount"]
        need(key == 0 or ("DCHR", key) in self.memory, "a node names no history")
        if key:
            data = self.memory["DCHR", key]
            need(len(data) == 4 * min(count, 65536), "a history has another size")
            value["History"] = struct.unpack("<%dI" % (len(data) // 4), data)
        key, contexts = value["Contexts"], []
        need((key == 0) == (value["ContextsCount"] == 0), "a node has contexts without a key")
        if key:
            data = self.memory["DBCC", key]
            need(len(data) == 16 * value["ContextsCount"], "contexts have another size")
            for i in range(value["ContextsCount"]):
                context = unpack("CONTEXT", data, 16 * i)
                need(context["Index"] < count, "a context is behind the list")
                contexts.append((context["Index"], text16(self.memory["DRWS", context["String"]], "a context")))
            need(contexts == sorted(contexts, key=lambda of: of[0]), "contexts are not sorted")
        value["Contexts"] = contexts


def broken(path):
    """How the file breaks the layout, or None."""
    with open(path, "rb") as file:
        try:
            File(file.read()).resolve()
        except Broken as how:
            return "%s breaks the layout: %s" % (path, how)
    return None


def main(path):
    if broken(path):
        print(broken(path))
        return 1
    with open(path, "rb") as file:
        read = File(file.read())
    read.resolve()
    for field, value in read.header.items():
        print("header.%s = %s" % (field, value))
    counts = {}
    for kind, value in read.sections + [("CPU package", of) for of in read.packages]:
        counts[kind] = counts.get(kind, -1) + 1
        for field, of in value.items():
            print("%s[%d].%s = %s" % (kind, counts[kind], field, of))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
