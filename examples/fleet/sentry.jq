# Events for Sentry, one a line: annot export dumps/ --output ndjson | jq -c -f sentry.jq
# The group is the fingerprint. An error's GUID of zeros is none.
def there: with_entries(select(.value != null));

select(.status != "unreadable")
| {event_id: (if (.guid // "") | test("[1-9a-f]") then .guid else null end),
   timestamp: ((.time // empty | .[:19] | strptime("%Y-%m-%d %H:%M:%S") | mktime) // null),
   platform: "native", level: "fatal", logger: "annot", release: .app_version,
   fingerprint: [.group // "{{ default }}"],
   exception: {values: [{type: .error, value: (.group_title // .title), mechanism: {type: "gpu", handled: false}}]},
   contexts: ({gpu: ({name: (.adapter // "unknown"), version: .driver} | there), os: (if .system then {name: .system} else null end)} | there),
   tags: ({application, "gpu.driver": .driver, signature, quality, certainty, failure}
          + (.app // {} | with_entries(.key |= "app." + . | .key |= gsub("[^A-Za-z0-9_.:-]"; "_") | .key |= .[:32] | .value |= .[:200])) | there),
   extra: {dump: .file, path: (.path // ""), reason: (.reason // ""), markers, confidence}}
| there
