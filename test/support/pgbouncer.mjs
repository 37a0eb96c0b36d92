import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A PgBouncer in transaction mode, with the settings that the guide names, in front of a PostgreSQL that trusts everyone. */
export const startPgBouncer = async ({ program, postgresPort, port, users, account }) => {
  const folder = mkdtempSync(join(tmpdir(), 'kohort-pgbouncer-'));
  const [settings, accounts] = ['pgbouncer.ini', 'users.txt'].map((name) => join(folder, name));
  writeFileSync(accounts, users.map((user) => `"${user}" ""\n`).join(''));
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${postgresPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${accounts}
pool_mode = transaction
max_prepared_statements = 300
ignore_startup_parameters = extra_float_digits,statement_timeout,idle_in_transaction_session_timeout
default_pool_size = 10
max_client_conn = 1000
server_idle_timeout = 5
log_connections = 0
log_disconnections = 0
log_pooler_errors = 1
`,
  );
  if (account.uid) for (const path of [folder, settings, accounts]) chownSync(path, account.uid, account.gid);
  const pooler = spawn(program, ['--quiet', settings], {
    ...account,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(pooler, 'exit');
  for (let n = 0; n < 100 && !(await listens(port)); n += 1) await sleep(100);
  return {
    stop: async () => {
      pooler.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const listens = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
