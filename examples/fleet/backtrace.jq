# Reports for Backtrace, one a line: annot export dumps/ --output ndjson | jq -c -f backtrace.jq
# The path of markers, innermost first, is the stack of the only thread. A dump without a time has that of the export.
def there: with_entries(select(.value != null));

select(.status != "unreadable")
| {uuid: (.guid | "\(.[:8])-\(.[8:12])-\(.[12:16])-\(.[16:20])-\(.[20:])"),
   timestamp: ((.time // empty | .[:19] | strptime("%Y-%m-%d %H:%M:%S") | mktime) // (now | floor)),
   lang: "c", langVersion: "C11", agent: "annot", agentVersion: (.schema | tostring),
   threads: {gpu: {name: "gpu", fault: true,
                   stack: ((.path // "") | split(" / ") | reverse | map({funcName: ., library: "gpu"}))}},
   mainThread: "gpu", classifiers: [.error], annotations: {},
   attributes: ({"annot.group": .group, "annot.signature": .signature, "annot.certainty": .certainty,
                 "annot.confidence": .confidence, "annot.kind": .failure, application, version: .app_version, "gpu.adapter": .adapter,
                 "gpu.driver": .driver, "uname.sysname": .system, "error.message": (.group_title // .title), "annot.quality": .quality,
                 "annot.reason": .reason, "annot.dump": .file,
                 "annot.time": (if .time then null else "unknown; the timestamp is the time of the export" end)}
                + (.app // {} | with_entries(.key |= "app." + .)) | there)}
