-- The summaries of `annot export --output ndjson` as the table `dumps` of ClickHouse. Rows with the same key replace each other, so that
-- sending a file twice does no harm. docs/TRIAGE.md says what the columns mean.
create table dumps (
  schema UInt32, file String, size UInt64, status LowCardinality(String), why Nullable(String),
  signature LowCardinality(Nullable(String)), quality LowCardinality(Nullable(String)), title Nullable(String), redacted Bool,
  time Nullable(DateTime64(9, 'UTC')), error LowCardinality(Nullable(String)), guid Nullable(String),
  application LowCardinality(Nullable(String)), app_version LowCardinality(Nullable(String)), adapter LowCardinality(Nullable(String)),
  driver LowCardinality(Nullable(String)), system LowCardinality(Nullable(String)), writer LowCardinality(Nullable(String)),
  reason Nullable(String), path Nullable(String), queues UInt64, lists UInt64, submissions UInt64, markers UInt64, stops UInt64,
  dropped UInt64, page_faults UInt64, error_kind LowCardinality(Nullable(String)),
  error_hash LowCardinality(Nullable(String)), operation LowCardinality(Nullable(String)), operation_hash LowCardinality(Nullable(String)),
  shader Nullable(String), shader_hash Nullable(String), place Nullable(String), place_hash Nullable(String),
  resource Nullable(String), resource_hash Nullable(String), failure Nullable(String),
  `group` LowCardinality(Nullable(String)), group_title Nullable(String), certainty LowCardinality(Nullable(String)),
  confidence Nullable(UInt8), app Map(String, String)
) engine = ReplacingMergeTree
order by (ifNull(signature, ''), ifNull(guid, ''), file)
partition by toYYYYMM(ifNull(time, toDateTime64('1970-01-01', 9, 'UTC')))
