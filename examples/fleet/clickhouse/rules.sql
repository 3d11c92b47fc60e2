-- Rules of the user's own: in this order, a scope whose name has the beginning becomes something else. application '': of all applications.
create table rules (number UInt32, application String, beginning String, replacement String) engine = MergeTree order by number
