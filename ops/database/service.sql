-- Run once, in a cluster that is new: the service owns its database and is no superuser.
\getenv password POSTGRES_PASSWORD
CREATE ROLE service LOGIN PASSWORD :'password';
CREATE DATABASE service OWNER service;
