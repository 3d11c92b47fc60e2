-- Dumps of each hang in the last seven days against the seven before: what grows.
with (select max(time) from dumps) as now
select `group`, any(group_title) as title,
       countIf(time > now - interval 7 day) as last_week,
       countIf(time <= now - interval 7 day and time > now - interval 14 day) as week_before
from dumps
where `group` is not null
group by `group`
having last_week > week_before
order by toInt64(last_week) - toInt64(week_before) desc, `group`
limit 20
