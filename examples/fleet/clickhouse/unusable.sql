-- Dumps that name no hang, by reason: what to mend in how dumps are taken.
select status, quality, coalesce(why, title) as reason, count() as dumps
from dumps
where signature is null
group by status, quality, reason
order by dumps desc, reason
