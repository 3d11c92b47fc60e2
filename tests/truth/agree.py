#!/usr/bin/env python3
# All outputs of a dump say the same of where it stopped [ANN-TRUTH-08]: text, JSON, page, comparison and signature, as
# their commands print them. What they print is all that this knows.
#   agree.py ANNOT TEST_TRUTH COUNT [SEED [--guilty]]
#   agree.py ANNOT TEST_TRUTH_LAYER COUNT SEED --levels       whether a level that records more says less
import base64
import html
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

annot, truth, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
kind = sys.argv[5:6]


def run(*words):
    return subprocess.run(words, capture_output=True, check=False).stdout.decode("utf-8", "replace")


def fold(text):
    return re.sub(r"[0-9]+", "#", text)


# The data of the page: deflated behind a length, JSON in front. Its answer is its title, with typographic quotes.
def page_of(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    data = re.search(r'id="data"[^>]*>([^<]*)<', text).group(1)
    raw = zlib.decompress(base64.b64decode(data))
    size = struct.unpack("<I", raw[:4])[0]
    return json.loads(raw[4 : 4 + size]) | {"answer": html.unescape(re.search(r"<title>(.*?)</title>", text, re.S).group(1))}


# What the dump's outputs say, one against the other; yields complaints.
def compare(dump, other, page_path):
    text = run(annot, "show", "--output", "text", dump)
    report = json.loads(run(annot, "show", "--output", "json", dump))
    signature = json.loads(run(annot, "signature", "--output", "json", dump))
    run(annot, "html", dump, "-o", page_path)
    page = page_of(page_path)
    os.remove(page_path)
    difference = json.loads(run(annot, "diff", "--all", "--output", "json", dump, other))
    answer, first = report["answer"], text.split("\n", 1)[0]
    if first != answer or re.sub("[“”]", '"', page["answer"]) != answer.replace('\\"', '"'):
        yield f"first lines: {first!r}, {answer!r}, {page['answer']!r}"
    if page["signature"]["title"] != signature["title"] or (page["signature"]["id"] or None) != signature["id"]:
        yield f"signatures: {page['signature']}, {signature['title']!r}"
    if report["signature"]["title"] != signature["title"]:
        yield f"titles: {report['signature']['title']!r}, {signature['title']!r}"
    if len(page["stops"]) != min(report["in_progress_count"], 256):
        yield f"{len(page['stops'])} stops in the page, {report['in_progress_count']} in JSON"
    stopped = [(row["key"], row["a"]) for row in difference["differences"] if row["part"] == "stopped at" and row["a"] is not None]
    at_work = [s for s in report["suspects"] if s["role"] != "waiting"]
    if not at_work or report["suspects"][0]["role"] in ("waiting", "held guilty, done"):
        return
    suspect = report["suspects"][0]
    called = '"%s"' % suspect["queue_name"] if suspect.get("queue_name") else "#" + suspect["queue"]
    failed = report["device"]["error"] not in (0, 0x10001)
    said = answer.split("; or on queue ")[0]
    named = re.search(r' on queue ("[^"]*"|#[0-9]+)', said)
    if named and failed and named.group(1) != called:
        yield f"queue: {named.group(1)} in {answer!r}, {called} in JSON"
    place = report["in_progress"][suspect["in_progress"]] if "in_progress" in suspect else None
    path = place["text"] if place else suspect.get("path", "")
    if place and place["queue"] != suspect["queue"]:
        yield f"queue: {place['queue']} of the place, {suspect['queue']} of the suspect"
    if signature["path"] != path and signature["id"]:
        yield f"path: {signature['path']!r} of the signature, {path!r} in JSON"
    if path and place and failed and path not in said and "..." not in said:
        yield f"path: {path!r} is not in {answer!r}"
    operation = suspect.get("operation", "")
    if operation and failed and operation not in said:
        yield f"operation: {operation} is not in {answer!r}"
    of_signature = signature["parts"]["operation"]["text"]
    if signature["id"] and of_signature and operation and operation not in of_signature:
        yield f"operation: {of_signature!r} of the signature, {operation} in JSON"
    if path and place and path not in text.split("\n", 1)[1]:
        yield f"path: {path!r} is not in the text"
    key, owner = fold(path) or "(no marker)", fold(suspect.get("queue_name") or "")
    if not any(fold(k) == key and fold(a).startswith(owner) and operation in a for k, a in stopped):
        yield f"comparison: {stopped} has no {key!r} of {owner!r} with {operation!r}"


# What a dump's first suspect is known by; None: it has none that is at work.
def known(report):
    rank = {"kind": 1, "one of several": 2, "certain": 3}
    suspect = report["suspects"][0] if report["suspects"] else None
    if not suspect or "in_progress" not in suspect:
        return None
    place = report["in_progress"][suspect["in_progress"]]
    scopes = [name for name in place["path"] if not re.match(r"[A-Za-z0-9]+\(", name)]
    queues = sorted(int(queue["object"]) for queue in report["queues"])  # their numbers differ, and not their order
    at = (queues.index(int(place["queue"])), suspect.get("submission"), place["list"])
    return at, len(scopes), rank.get(suspect.get("certainty"), 0)


# A level of the layer that records more never says less [ANN-TRUTH-08]. A level has packets of its own: where steps are counted
# the GPU stops elsewhere, so a program counts that runs until nothing can be done.
def compare_levels(folder, number):
    said = {}
    for level in ("low", "labels", "exact"):
        dump = os.path.join(folder, level + ".annotdmp")
        none = os.path.join(folder, "none.annotdmp")
        out = run(annot, "d3d12", "-o", none, "--", truth, "--evidence", "auto", "--level", level, "--show", str(number), "--keep", dump)
        if not os.path.exists(dump):
            return None
        said[level] = known(json.loads(run(annot, "show", "--output", "json", dump)))
        os.remove(dump)
        if "{OP_STEPS, 0, 0, 0xFFFFFFFF}" not in out or "hang_place" in out:
            return None
    complaints = []
    for less, more in (("low", "labels"), ("labels", "exact")):
        is_less = said[less] and said[more] and said[less][0] == said[more][0] and any(x > y for x, y in zip(said[less][1:], said[more][1:]))
        if (said[less] and not said[more]) or is_less:
            complaints.append(f"{less} says {said[less]}, {more} {said[more]}")
    return complaints


# The dump of one program, compared; None: it leaves none.
def compare_outputs(folder, number):
    here = os.path.dirname(os.path.abspath(__file__))
    idle = os.path.join(here, "..", "golden", "dumps", "live_device.annotdmp")
    dump = os.path.join(folder, "it.annotdmp")
    run(truth, *kind, "--list", "--keep", dump, "--show", str(number))
    if not os.path.exists(dump):
        return None
    complaints = list(compare(dump, idle, os.path.join(folder, "it.html")))
    os.remove(dump)
    return complaints


wrong = compared = 0
shared = "/dev/shm"  # where test-truth-layer has its dumps, which it renames
with tempfile.TemporaryDirectory(dir=shared if os.access(shared, os.W_OK) else ".") as folder:
    for number in range(seed, seed + count):
        complaints = (compare_levels if kind == ["--levels"] else compare_outputs)(folder, number)
        compared += complaints is not None
        for complaint in complaints or []:
            wrong += 1
            print(f"seed {number}: {complaint}")
print(f"{compared} dumps, {wrong} differences")
sys.exit(1 if wrong or compared < count // 8 else 0)
