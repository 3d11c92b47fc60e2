-- Hangs that one driver has at least three times as often as its share of all dumps: a driver's own, perhaps.
with all_dumps as (
  select driver, count(*) * 1.0 / sum(count(*)) over () as share from dumps where driver is not null group by driver
), hangs as (
  select "group", any_value(group_title) as title, driver, count(*) as dumps,
         count(*) * 1.0 / sum(count(*)) over (partition by "group") as share
  from dumps
  where "group" is not null and driver is not null
  group by "group", driver
)
select hangs."group", hangs.title, hangs.driver, hangs.dumps,
       round(hangs.share * 100, 1) as percent_of_hang, round(all_dumps.share * 100, 1) as percent_of_all
from hangs join all_dumps using (driver)
where hangs.dumps >= 20 and hangs.share >= 3 * all_dumps.share
order by hangs.dumps desc, hangs."group", hangs.driver;
