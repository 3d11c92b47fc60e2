-- Rules of the user's own: in this order, what matches in a place becomes something else.
create table rules (number UInt32, application String, pattern String, replacement String) engine = MergeTree order by number
