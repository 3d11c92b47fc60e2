-- Hangs that no version before $version had. Versions compare by their numbers: 1.10 comes behind 1.9.
with numbered as (
  select *, [try_cast(part as integer) for part in string_split(app_version, '.')] as number
  from dumps
  where "group" is not null and app_version is not null
)
select "group", any_value(group_title) as title, count(*) as dumps, arg_min(app_version, number) as first_version
from numbered
group by "group"
having min(number) >= [try_cast(part as integer) for part in string_split($version, '.')]
order by dumps desc, "group";
