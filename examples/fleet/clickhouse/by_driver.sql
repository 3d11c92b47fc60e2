-- Hangs that one driver has at least three times as often as its share of all dumps: a driver's own, perhaps.
select `group`, title, driver, dumps, round(dumps / of_hang * 100, 1) as percent_of_hang, round(share * 100, 1) as percent_of_all
from (
  select `group`, title, driver, dumps, of_hang
  from (select `group`, driver, count() as dumps from dumps where `group` is not null and driver is not null group by `group`, driver) as pairs
  all inner join (
    select `group`, any(group_title) as title, count() as of_hang from dumps where `group` is not null and driver is not null group by `group`
  ) as hangs using (`group`)
) as known
all inner join (
  select driver, count() / (select count() from dumps where driver is not null) as share from dumps where driver is not null group by driver
) as drivers using (driver)
where dumps >= 20 and dumps / of_hang >= 3 * share
order by dumps desc, `group`, driver
