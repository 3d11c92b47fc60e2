-- Hangs by the parts of their identity, with the rules: a shader that differs keeps them apart, and where none is known the place does.
-- What annot triage learns of scopes it has no equal here; edges that it found can be imported as rules.
with (select groupArray((pattern, replacement)) from (select * from rules order by number)) as all_rules
select cityHash64(ifNull(application, ''), ifNull(error_hash, ''), ifNull(operation_hash, ''), ifNull(shader_hash, ''), ifNull(resource_hash, ''),
                  arrayElement(splitByString(' / ', arrayFold((text, rule) -> replaceRegexpAll(text, rule.1, rule.2), all_rules, ifNull(place, ''))), -1)) as hang,
       any(title) as title, uniqExact(signature) as signatures, count() as dumps
from dumps
where signature is not null
group by hang
order by dumps desc, hang
limit 20
