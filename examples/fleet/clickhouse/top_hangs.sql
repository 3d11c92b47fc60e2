-- Which hangs there are most dumps of, since when, on how many drivers.
select `group`, any(group_title) as title, count() as dumps, uniqExact(driver) as drivers, min(time) as first_seen, max(time) as last_seen
from dumps
where `group` is not null
group by `group`
order by dumps desc, `group`
limit 20
