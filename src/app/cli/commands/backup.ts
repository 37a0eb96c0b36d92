import { type ReadBackup, checkFiles, partsOfBackup, readManifest } from '../../../operations/backup/files/manifest.js';
import { integerOf } from '../../../platform/fields/values.js';
import { backupDestination } from '../../../operations/backup/destinations/backup-destination.js';
import {
  requireFlag,
  UsageError,
  type Command,
  type Flags,
  type GivenWords,
  type StorelessCommand,
} from '../command.js';
import { progressOf, type Progress } from '../../start/progress.js';

export const backupCommand: Command = {
  name: 'backup',
  usage: 'backup --to backups/monday|s3://bucket/monday [--since backups/sunday]',
  summary: 'write everything that PostgreSQL has at this moment into a new folder or bucket, while the service runs',
  options: {
    to: { value: 'PLACE', about: 'the folder to make, or s3://bucket/prefix; BACKUP_KEY encrypts what is in it' },
    since: {
      value: 'PLACE',
      about: 'an earlier backup: files with equal rows are shared with it instead of written again',
    },
  },
  check: ({ flags }) => void requireFlag(flags, 'to'),
  run: async ({ config, database, flags }) => {
    const { makeBackup } = await import('../../../operations/backup/make-backup.js');
    const started = Date.now();
    const bar = barOf('tables', 'copied');
    const [to, since] = [requireFlag(flags, 'to'), flags.since ?? null];
    const destination = backupDestination(to, config.s3, since);
    const earlier = since === null ? null : backupDestination(since, config.s3);
    const request = { to: destination, since: earlier, key: config.backupKey, onTable: bar.show };
    const { manifest, files, shared, bytes } = await makeBackup(database, request).finally(bar.end);
    return {
      backup: destination.name,
      tables: manifest.tables.length,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      ...{ files, shared_files: shared, bytes, encrypted: manifest.encryption !== null },
      seconds: Math.round((Date.now() - started) / 100) / 10,
    };
  },
};

const fromOptions: Command['options'] = {
  from: { value: 'PLACE', about: 'the backup; needs the BACKUP_KEY with which it was made' },
  unencrypted: { value: null, about: 'take a backup without encryption although BACKUP_KEY is set' },
};

export const backupVerifyCommand: StorelessCommand = {
  name: 'backup verify',
  usage: 'backup verify --from backups/monday|s3://bucket/monday [--unencrypted]',
  summary: 'read a whole backup and check each file, as a restore does before it writes anything; needs no database',
  options: fromOptions,
  check: ({ flags }) => void requireFlag(flags, 'from'),
  runWithoutStores: async (given) => {
    const { destination, manifest } = await checkedBackup(given);
    const parts = partsOfBackup(manifest);
    return {
      backup: destination.name,
      ...{ made: manifest.startedAt, version: manifest.version, tables: manifest.tables.length },
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      ...{ files: parts.length, bytes: parts.reduce((sum, { size }) => sum + size, 0) },
      encrypted: manifest.encryption !== null,
    };
  },
};

const inOption = { value: 'PLACE', about: 'the folder that has the backups, or s3://bucket/prefix' };

export const backupListCommand: StorelessCommand = {
  name: 'backup list',
  usage: 'backup list --in backups|s3://bucket',
  summary: 'list the backups in a folder or bucket, and what killed ones have left',
  options: { in: inOption },
  check: ({ flags }) => void requireFlag(flags, 'in'),
  runWithoutStores: async ({ config, flags }) => {
    const { listBackups } = await import('../../../operations/backup/keep-backups.js');
    const listed = await listBackups(backupDestination(requireFlag(flags, 'in'), config.s3));
    const nameOf = new Map(listed.map(({ seal, name }) => [seal, name]));
    return listed.map(({ name, state, made, version, bytes, encrypted, previous }) => ({
      ...{ name, state, made, version, bytes, encrypted },
      shares_with: previous === null ? null : (nameOf.get(previous) ?? null),
    }));
  },
};

export const backupPruneCommand: StorelessCommand = {
  name: 'backup prune',
  usage: 'backup prune --in backups|s3://bucket --keep 7',
  summary: 'remove all complete backups but the newest, and what killed ones have left; one that is being made stays',
  options: { in: inOption, keep: { value: 'N', about: 'how many complete backups stay' } },
  check: ({ flags }) => void [requireFlag(flags, 'in'), keepOf(flags)],
  runWithoutStores: async ({ config, flags }) => {
    const { pruneBackups } = await import('../../../operations/backup/keep-backups.js');
    const destination = backupDestination(requireFlag(flags, 'in'), config.s3);
    const removed = await pruneBackups(destination, keepOf(flags));
    return removed.map(({ name, state, made, bytes }) => ({ removed: name, state, made, bytes }));
  },
};

const keepOf = (flags: Flags): number => {
  const keep = integerOf(requireFlag(flags, 'keep'));
  if (keep === null || keep < 1) throw new UsageError('--keep must be a whole number from 1');
  return keep;
};

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'restore --from backups/monday|s3://bucket/monday [--unencrypted]',
  summary: 'load a backup into an empty database, and fill ClickHouse from it; the service must not run',
  options: fromOptions,
  begins: true,
  alone: true,
  check: async (given) => void (await checkedBackup(given)),
  run: async (context) => {
    const { database } = context;
    const started = Date.now();
    const backup = await backupOf(context);
    const { assertEmptyClickHouse, assertEmptyPostgres, forgetRestore, isLoaded, loadOnce } =
      await import('../../../operations/backup/restore-backup.js');
    const { fillClickHouse, withClickHouse } = await import('../clickhouse.js');
    const isFilled = await isLoaded(database.postgres, backup);
    if (!isFilled) await assertEmptyPostgres(database, backup);
    return withClickHouse(context, async (clickhouse) => {
      if (!isFilled) await assertEmptyClickHouse(clickhouse);
      const bar = barOf('files', 'loaded');
      await loadOnce(database, backup, bar.show).finally(bar.end);
      const filled = await fillClickHouse(context, clickhouse);
      await forgetRestore(database.postgres);
      const { startedAt: made, tables } = backup.manifest;
      return {
        ...{ made, tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0), ...filled },
        seconds: Math.round((Date.now() - started) / 100) / 10,
      };
    });
  },
};

/** Reads every file of the backup before a store is opened, so that nothing is written from a damaged one. */
const checkedBackup = async (given: GivenWords): Promise<ReadBackup> => {
  const { assertKnownMigrations } = await import('../../../operations/backup/restore-backup.js');
  const backup = await backupOf(given);
  assertKnownMigrations(backup);
  await checkFiles(backup);
  return backup;
};

const backupOf = async ({ config, flags }: Pick<GivenWords, 'config' | 'flags'>): Promise<ReadBackup> =>
  readManifest(backupDestination(requireFlag(flags, 'from'), config.s3), config.backupKey, {
    unencrypted: flags.unencrypted !== undefined,
  });

const barOf = (what: string, verb: string) => {
  let progress: Progress | null = null;
  return {
    show: (done: number, all: number): void => {
      progress ??= progressOf(what, all, { done: verb });
      progress.show(done);
    },
    end: (): void => progress?.end(),
  };
};
