-- Hangs by the parts of their identity, with the rules: a shader that differs keeps hangs apart, and where shaders are the same the innermost
-- scope does. Of several rules for a scope, the first one counts. What annot triage learns of scopes has no equal here.
select cityHash64(application, error, operation, shader, resource, if(name = '', scope, name)) as hang,
       any(title) as title, uniqExact(signature) as signatures, sum(dumps) as dumps
from (
  select signature, ifNull(application, '') as application, ifNull(error_hash, '') as error, ifNull(operation_hash, '') as operation,
         ifNull(shader_hash, '') as shader, ifNull(resource_hash, '') as resource,
         arrayElement(splitByString(' / ', ifNull(place, '')), -1) as scope, any(title) as title, count() as dumps
  from dumps
  where signature is not null
  group by signature, application, error, operation, shader, resource, scope
) as signatures
any left join (
  select scope, application, argMin(replacement, number) as name
  from (
    select distinct arrayElement(splitByString(' / ', ifNull(place, '')), -1) as scope, ifNull(application, '') as application from dumps
  ) as scopes
  cross join (select number, application as for_application, beginning, replacement from rules) as named
  where substring(scope, 1, length(beginning)) = beginning and (for_application = '' or for_application = application)
  group by scope, application
) as names using (scope, application)
group by hang
order by dumps desc, hang
limit 20
