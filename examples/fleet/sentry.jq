# Events for Sentry, one a line: annot export dumps/ --output ndjson | jq -c -f sentry.jq
# The group is the fingerprint. An error's GUID of zeros is none. contexts.facts has all facts of the application. A fact is also a tag if
# its key is one that Sentry allows, so no two facts have one tag.
def there: with_entries(select(.value != null));

select(.status != "unreadable")
| {event_id: (if (.guid // "") | test("[1-9a-f]") then .guid else null end),
   timestamp: ((.time // empty | .[:19] | strptime("%Y-%m-%d %H:%M:%S") | mktime) // null),
   platform: "native", level: "fatal", logger: "annot", release: .app_version,
   fingerprint: [.group // "{{ default }}"],
   exception: {values: [{type: .error, value: (.group_title // .title), mechanism: {type: "gpu", handled: false}}]},
   contexts: ({gpu: ({name: (.adapter // "unknown"), version: .driver} | there), os: (if .system then {name: .system} else null end),
              facts: (.app | if . == null or . == {} then null else . end)} | there),
   tags: ({application, "gpu.driver": .driver, signature, quality, certainty, failure}
          + (.app // {} | with_entries(select(.key | test("^[A-Za-z0-9_.:-]{1,28}$"))
             | .key |= "app." + . | .value |= .[:200])) | there),
   extra: {dump: .file, path: (.path // ""), reason: (.reason // ""), markers, confidence}}
| there
