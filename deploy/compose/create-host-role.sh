#!/bin/sh
# Runs once, when the database is created: the role of hosts, to which `lumenflow state migrate --grant` gives its rights.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$HOST_PASSWORD" <<'SQL'
create role lumenflow_host login password :'password';
SQL
