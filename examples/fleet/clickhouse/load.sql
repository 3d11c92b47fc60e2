insert into dumps select * from file('dumps.ndjson', 'JSONEachRow')
settings date_time_input_format = 'best_effort', input_format_null_as_default = 1
