create table pharmacy (
    id uuid primary key,
    name varchar(200) not null,
    certificate bytea
);

create table dispense (
    prescription varchar(24) primary key,
    pharmacy uuid not null references pharmacy (id),
    at timestamp with time zone not null,
    reversed boolean not null default false
);
