-- Which hangs there are most dumps of, since when, on how many drivers.
select signature, any(title) as title, count() as dumps, uniqExact(driver) as drivers, min(time) as first_seen, max(time) as last_seen
from dumps
where signature is not null
group by signature
order by dumps desc, signature
limit 20
