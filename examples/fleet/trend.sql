-- Dumps of each hang in the last seven days against the seven before: what grows.
with now as (select max(time) as at from dumps)
select "group", any_value(group_title) as title,
       count(*) filter (time > now.at - interval 7 day) as last_week,
       count(*) filter (time <= now.at - interval 7 day and time > now.at - interval 14 day) as week_before
from dumps, now
where "group" is not null
group by "group"
having last_week > week_before
order by last_week - week_before desc, "group"
limit 20;
