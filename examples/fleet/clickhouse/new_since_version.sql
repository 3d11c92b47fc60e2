-- Hangs that no version before {version:String} had. Versions compare by their numbers: 1.10 comes behind 1.9.
select `group`, any(group_title) as title, count() as dumps,
       argMin(app_version, arrayMap(part -> toUInt32OrZero(part), splitByChar('.', assumeNotNull(app_version)))) as first_version
from dumps
where `group` is not null and app_version is not null
group by `group`
having min(arrayMap(part -> toUInt32OrZero(part), splitByChar('.', assumeNotNull(app_version))))
    >= arrayMap(part -> toUInt32OrZero(part), splitByChar('.', {version:String}))
order by dumps desc, `group`
