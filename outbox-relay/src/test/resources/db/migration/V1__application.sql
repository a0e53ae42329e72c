create table application_table (id integer primary key);
