#!/bin/sh
# What the entrypoint of the image `postgres` does: gives the volume to the account, becomes it, and makes the database once.
set -eu
data=/var/lib/postgresql/data
if [ "$(id -u)" = 0 ]; then
  chown postgres:postgres /var/lib/postgresql
  exec setpriv --reuid postgres --regid postgres --init-groups "$0"
fi
if ! [ -s "$data/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" >/tmp/password
  initdb --pgdata "$data" --username "$POSTGRES_USER" --pwfile /tmp/password --auth scram-sha-256 --encoding UTF8 --locale C
  rm /tmp/password
  echo "CREATE DATABASE $POSTGRES_DB" | postgres --single -D "$data" postgres
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
fi
exec postgres -D "$data" -c listen_addresses='*'
