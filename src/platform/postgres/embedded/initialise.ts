import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, lchown, mkdir, open, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { type Account } from './account.js';
import { adminName } from './admin.js';
import { type Binaries } from './binaries.js';
import { startIn, type Cluster } from './cluster.js';
import { databaseName, userName } from './connection.js';
import { syncPath } from '../../objects/durable-files.js';
import { asArguments, initialSettings } from './settings.js';

/**
 * Creates the cluster under another name and renames it when it is complete, so that the remains of a killed initdb are
 * never opened.
 */
export const initialise = async (
  cluster: Cluster,
  binaries: Binaries,
  account: Account | null,
  passwords: { readonly service: string; readonly admin: string },
): Promise<void> => {
  await rm(cluster.initialising, { recursive: true, force: true });
  await mkdir(cluster.initialising, { mode: 0o700 });
  if (account) await giveTo(account, cluster.initialising);
  await runInitdb(cluster, binaries, account, passwords.admin);
  await makeServiceRole(cluster, binaries, account, passwords.service);
  await rename(cluster.initialising, cluster.folder).catch((error: Error) => {
    throw new Error(
      `${cluster.folder} contains something other than a PostgreSQL cluster: move it away (${error.message})`,
    );
  });
  await syncPath(dirname(cluster.folder));
};

const runInitdb = async (
  cluster: Cluster,
  binaries: Binaries,
  account: Account | null,
  password: string,
): Promise<void> => {
  const { bavail, bsize } = await statfs(dirname(cluster.folder));
  await run(cluster, account, {
    program: binaries.initdb,
    args: [
      ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
      ...['-A', 'scram-sha-256', '-U', adminName, '--pwfile=/dev/stdin'],
      ...asArguments({ ...initialSettings(bavail * bsize), cluster_name: cluster.name }),
    ],
    input: `${password}\n`,
  });
};

/** One statement per line, as PostgreSQL's single-user mode reads them. */
const serviceRoleAndDatabase = (password: string): string =>
  `CREATE ROLE ${userName} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD ${pg.escapeLiteral(password)};
CREATE DATABASE ${databaseName} OWNER ${userName};
`;

/** Makes the role and the database of the service without a server, so that no start finds a cluster that lacks them. */
const makeServiceRole = (
  cluster: Cluster,
  binaries: Binaries,
  account: Account | null,
  password: string,
): Promise<void> =>
  run(cluster, account, {
    program: binaries.postgres,
    mode: '--single',
    args: [...asArguments({ cluster_name: cluster.name, exit_on_error: 'on' }), 'postgres'],
    input: serviceRoleAndDatabase(password),
  });

interface Run {
  readonly program: string;
  /** An option that PostgreSQL requires as the first argument. */
  readonly mode?: string;
  readonly args: readonly string[];
  readonly input: string;
}

const run = async (cluster: Cluster, account: Account | null, { program, mode, args, input }: Run): Promise<void> => {
  const { dataArguments, options } = startIn(cluster.initialising, account);
  const secret = await openSecret(`${cluster.initialising}.secret`, input, account);
  try {
    const child = spawn(program, [...(mode ? [mode] : []), ...dataArguments, ...args], {
      ...options,
      stdio: [secret.fd, 'ignore', 'pipe'],
    });
    const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
    const [complaint, [code, signal]] = await Promise.all([child.stderr ? text(child.stderr) : '', ended]);
    if (code === 0) return;
    throw new Error(`${basename(program)} failed (${signal ?? code}) in ${cluster.initialising}: ${complaint.trim()}`);
  } finally {
    await secret.close();
  }
};

/**
 * Returns an open file without a name. The program reads it under the account of the server, which may not be able to reach a
 * file by its name.
 */
const openSecret = async (path: string, content: string, account: Account | null) => {
  await rm(path, { force: true });
  const handle = await open(path, 'wx+', 0o600);
  if (account) await handle.chown(account.uid, account.gid);
  await handle.write(content, 0);
  await rm(path);
  return handle;
};

/** Makes PostgreSQL accept an existing cluster: checks the major version, and gives the folder to the account alone. */
export const makeOpenable = async (cluster: Cluster, binaries: Binaries, account: Account | null): Promise<void> => {
  const version = (await readFile(join(cluster.folder, 'PG_VERSION'), 'utf8')).trim();
  if (version !== binaries.major) {
    throw new Error(
      `${cluster.folder} was written by PostgreSQL ${version}, this release includes ${binaries.major}: ` +
        'export with the release that wrote it, or run that PostgreSQL and set DATABASE_URL',
    );
  }
  const { uid, mode } = await stat(cluster.folder);
  const expected = account?.uid ?? process.getuid?.();
  if (uid !== expected) {
    if (!account)
      throw new Error(`${cluster.folder} belongs to uid ${uid}: run as that user, or chown -R it to uid ${expected}`);
    await giveTo(account, cluster.folder);
  }
  if (mode & 0o027) await chmod(cluster.folder, 0o700);
};

export const giveTo = async (account: Account, folder: string): Promise<void> => {
  try {
    for (const entry of await readdir(folder, { recursive: true })) {
      await lchown(join(folder, entry), account.uid, account.gid);
    }
    await chown(folder, account.uid, account.gid);
  } catch (error) {
    throw new Error(
      `PostgreSQL does not run as root, and ${folder} cannot be given to uid ${account.uid} ` +
        `(${(error as Error).message}): run Kohort as an ordinary user, or set DATABASE_URL`,
      { cause: error },
    );
  }
};
