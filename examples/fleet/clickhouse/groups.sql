-- Hangs by the parts of their identity, with the rules, which are applied to each place once: a shader that differs keeps hangs apart, and
-- where shaders are the same the innermost scope does. What annot triage learns of scopes has no equal here.
with (select groupArray((pattern, replacement)) from (select * from rules order by number)) as all_rules,
places as (
  select place, arrayElement(splitByString(' / ', arrayFold((text, rule) -> replaceRegexpAll(text, rule.1, rule.2), all_rules, place)), -1) as innermost
  from (select distinct ifNull(place, '') as place from dumps)
)
select cityHash64(ifNull(application, ''), ifNull(error_hash, ''), ifNull(operation_hash, ''), ifNull(shader_hash, ''),
                  ifNull(resource_hash, ''), innermost) as hang,
       any(title) as title, uniqExact(signature) as signatures, count() as dumps
from dumps join places on places.place = ifNull(dumps.place, '')
where signature is not null
group by hang
order by dumps desc, hang
limit 20
