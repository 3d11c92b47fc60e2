-- Hangs that one driver has at least three times as often as its share of all dumps: a driver's own, perhaps.
with all_dumps as (
  select driver, count() / (select count() from dumps where driver is not null) as share from dumps where driver is not null group by driver
), hangs as (
  select `group`, any(group_title) as title, driver, count() as dumps, sum(count()) over (partition by `group`) as of_hang
  from dumps
  where `group` is not null and driver is not null
  group by `group`, driver
)
select `group`, title, driver, dumps, round(dumps / of_hang * 100, 1) as percent_of_hang, round(share * 100, 1) as percent_of_all
from hangs join all_dumps using (driver)
where dumps >= 20 and dumps / of_hang >= 3 * share
order by dumps desc, `group`, driver
