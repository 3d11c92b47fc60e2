-- The summaries that `annot export --output ndjson` wrote to dumps.ndjson, as the table `dumps`. docs/TRIAGE.md says what the columns mean.
create or replace table dumps as
select * from read_json('dumps.ndjson', format = 'newline_delimited', columns = {
  schema: 'INTEGER', file: 'VARCHAR', size: 'BIGINT', status: 'VARCHAR', why: 'VARCHAR',
  signature: 'VARCHAR', quality: 'VARCHAR', title: 'VARCHAR', redacted: 'BOOLEAN',
  time: 'TIMESTAMP_NS', error: 'VARCHAR', guid: 'VARCHAR', application: 'VARCHAR', app_version: 'VARCHAR',
  adapter: 'VARCHAR', driver: 'VARCHAR', system: 'VARCHAR', writer: 'VARCHAR', reason: 'VARCHAR', path: 'VARCHAR',
  queues: 'BIGINT', lists: 'BIGINT', submissions: 'BIGINT', markers: 'BIGINT', stops: 'BIGINT', dropped: 'BIGINT',
  page_faults: 'BIGINT', error_kind: 'VARCHAR', error_hash: 'VARCHAR', operation: 'VARCHAR',
  operation_hash: 'VARCHAR', shader: 'VARCHAR', shader_hash: 'VARCHAR', place: 'VARCHAR', place_hash: 'VARCHAR',
  resource: 'VARCHAR', resource_hash: 'VARCHAR', failure: 'VARCHAR', 'group': 'VARCHAR', group_title: 'VARCHAR',
  certainty: 'VARCHAR', confidence: 'BIGINT', app: 'MAP(VARCHAR, VARCHAR)'
});
