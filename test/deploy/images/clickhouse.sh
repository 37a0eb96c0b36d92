#!/bin/sh
# What the entrypoint of the image `clickhouse/clickhouse-server` does: gives the volume to the account, becomes it, and makes the user.
# The server is that of test/support/clickhouse, whose user `default` keeps it running.
set -eu
data=/var/lib/clickhouse
if [ "$(id -u)" = 0 ]; then
  chown clickhouse:clickhouse "$data"
  exec setpriv --reuid clickhouse --regid clickhouse --init-groups "$0"
fi
cd "$data"
account() {
  echo "<$1><password>$2</password><networks><ip>$3</ip></networks><profile>default</profile><quota>default</quota></$1>"
}
cat >users.xml <<END
<clickhouse><profiles><default/></profiles><quotas><default/></quotas>
<users>$(account default '' 127.0.0.1)$(account "$CLICKHOUSE_USER" "$CLICKHOUSE_PASSWORD" ::/0)</users></clickhouse>
END
cat >server.xml <<END
<clickhouse><users_config>$data/users.xml</users_config><logger><level>none</level><console>false</console></logger></clickhouse>
END
exec clickhouse-server --path "$data/store" --config-file "$data/server.xml" --http_port 8123 --listen_host 0.0.0.0 --query \
  'SYSTEM START LISTEN HTTP; SELECT sum(sleepEachRow(1)) FROM numbers(1000000) SETTINGS max_block_size = 1, max_execution_time = 0'
