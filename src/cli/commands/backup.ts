import { checkFiles, readManifest, type ReadBackup } from '../../backup/files/manifest.js';
import { PlaceFault } from '../../stores/objects/place-fault.js';
import { backupPlace } from '../../backup/places/backup-place.js';
import { CommandRefused, demandFlag, type Command, type GivenWords } from '../command.js';
import { progressOf, type Progress } from '../progress.js';

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
  check: ({ flags }) => void demandFlag(flags, 'to'),
  run: async ({ config, database, flags }) => {
    const { makeBackup } = await import('../../backup/make-backup.js');
    const started = Date.now();
    const bar = tableBar();
    const [to, since] = [demandFlag(flags, 'to'), flags.since ?? null];
    const { place, made } = await refusing(async () => {
      const place = backupPlace(to, config.s3, since);
      const earlier = since === null ? null : backupPlace(since, config.s3);
      const request = { to: place, since: earlier, key: config.backupKey, onTable: bar.show };
      return { place, made: await makeBackup(database, request) };
    }).finally(bar.end);
    const { manifest, files, shared, bytes } = made;
    return {
      backup: place.name,
      tables: manifest.tables.length,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      ...{ files, shared_files: shared, bytes, encrypted: manifest.encryption !== null },
      seconds: Math.round((Date.now() - started) / 100) / 10,
    };
  },
};

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'restore --from backups/monday|s3://bucket/monday [--unencrypted]',
  summary: 'load a backup into an empty database, and fill ClickHouse from it; the service must not run',
  options: {
    from: { value: 'PLACE', about: 'the backup; needs the BACKUP_KEY with which it was made' },
    unencrypted: { value: null, about: 'take a backup without encryption although BACKUP_KEY is set' },
  },
  begins: true,
  alone: true,
  check: async (given) => void (await checkedBackup(given)),
  run: async (context) => {
    const { config, database, logger } = context;
    const started = Date.now();
    const backup = await backupOf(context);
    const { demandEmptyClickHouse, demandEmptyPostgres } = await import('../../backup/restore-backup.js');
    const { fillFromBackup } = await import('../../backup/fill-stores.js');
    const { withClickHouse } = await import('../clickhouse.js');
    await refusing(() => demandEmptyPostgres(database, backup));
    return withClickHouse(context, async (clickhouse) => {
      await refusing(() => demandEmptyClickHouse(clickhouse));
      const bar = tableBar();
      const stores = { ...database, clickhouse, logger, sole: config.clickhouseUrl === null };
      const { rows, persons, events } = await refusing(() => fillFromBackup(stores, backup, bar.show)).finally(bar.end);
      return {
        ...{ made: backup.manifest.startedAt, tables: backup.manifest.tables.length, rows, persons, events },
        seconds: Math.round((Date.now() - started) / 100) / 10,
      };
    });
  },
};

/** Reads every file of the backup before a store is opened, so that nothing is written from a damaged one. */
const checkedBackup = async (given: GivenWords): Promise<void> => {
  const { demandKnownMigrations } = await import('../../backup/restore-backup.js');
  const backup = await backupOf(given);
  await refusing(async () => {
    demandKnownMigrations(backup);
    await checkFiles(backup);
  });
};

const backupOf = ({ config, flags }: Pick<GivenWords, 'config' | 'flags'>): Promise<ReadBackup> =>
  refusing(async () => {
    const place = backupPlace(demandFlag(flags, 'from'), config.s3);
    return readManifest(place, config.backupKey, { unencrypted: flags.unencrypted !== undefined });
  });

const refusing = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw error instanceof PlaceFault ? new CommandRefused(error.message, { cause: error }) : error;
  });

const tableBar = () => {
  let progress: Progress | null = null;
  return {
    show: (done: number, all: number): void => {
      progress ??= progressOf('tables', all, { done: 'copied' });
      progress.show(done);
    },
    end: (): void => progress?.end(),
  };
};
