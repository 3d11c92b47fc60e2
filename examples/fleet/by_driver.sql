-- Hangs that one driver has at least three times as often as its share of all dumps: a driver's own, perhaps.
with all_dumps as (
  select driver, count(*) * 1.0 / sum(count(*)) over () as share from dumps where driver is not null group by driver
), hangs as (
  select signature, any_value(title) as title, driver, count(*) as dumps,
         count(*) * 1.0 / sum(count(*)) over (partition by signature) as share
  from dumps
  where signature is not null and driver is not null
  group by signature, driver
)
select hangs.signature, hangs.title, hangs.driver, hangs.dumps,
       round(hangs.share * 100, 1) as percent_of_hang, round(all_dumps.share * 100, 1) as percent_of_all
from hangs join all_dumps using (driver)
where hangs.dumps >= 20 and hangs.share >= 3 * all_dumps.share
order by hangs.dumps desc, hangs.signature, hangs.driver;
