import { access, constants, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { parseTimestamp } from '../../../kernel/event-log/normalise/timestamp.js';
import { type Walk } from '../../../exports/files/chunk.js';
import { exportFormats, type ExportFormat } from '../../../exports/files/formats.js';
import { type ExportKind } from '../../../exports/kinds.js';
import { collectOutbox } from '../../../kernel/projection/outbox/outbox.js';
import { type ClickHouse } from '../../../platform/clickhouse/client.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';
import {
  CommandRefused,
  UsageError,
  type Command,
  type CommandContext,
  type Flags,
  type GivenWords,
} from '../command.js';
import { namedProject, projectOption } from '../project-flag.js';
import { noProgress, progressOf } from '../../start/progress.js';

const about = {
  events: 'write all events into a file; ndjson is what import reads',
  persons: 'write all persons with their distinct ids and properties into a file; ndjson is what import reads',
  groups: 'write all groups with their properties into a file; ndjson is what import reads, after the events',
} as const;

const commandFor = (kind: ExportKind): Command => ({
  name: `export ${kind}`,
  usage: `export ${kind} ${kind}.ndjson.gz [--format ndjson|csv|parquet] [--after T] [--before T] [--project 1]`,
  summary: about[kind],
  arguments: 1,
  options: {
    format: {
      value: 'F',
      about:
        'ndjson, csv or parquet; without it, the ending of the file decides; a running service at PORT writes csv and parquet',
    },
    after: { value: 'T', about: `only ${kind} ${kind === 'events' ? '' : 'created '}later than this ISO 8601 date` },
    before: { value: 'T', about: `only ${kind} ${kind === 'events' ? '' : 'created '}earlier than this ISO 8601 date` },
    project: projectOption,
  },
  check: (given) => void fileOf(given),
  run: (context) => run(context, kind),
});

export const exportEvents = commandFor('events');
export const exportPersons = commandFor('persons');
export const exportGroups = commandFor('groups');

const run = async (context: CommandContext, kind: ExportKind) => {
  const { path, format, after, before } = fileOf(context);
  const { exportFile } = await import('../../../exports/files/export-file.js');
  const { exportFromService } = await import('../service-export.js');
  const projectId = await namedProject(context);
  await requireWritable(path);
  const walk: Walk = { projectId, after, before, cursor: null, limit: null };
  const { postgres } = context.database;
  const { rows } = await postgres.query<{ total: string }>(totalSql(kind, walk));
  const started = Date.now();
  const isElsewhere = format !== 'ndjson' && clickHouseIsElsewhere(context);
  // The records of a Parquet file that comes from the service are not counted.
  const isCounted = !isElsewhere || format === 'csv';
  const progress = isCounted ? progressOf(kind, Number(rows[0]?.total ?? 0)) : noProgress;
  const write = async (clickhouse: ClickHouse | null) => {
    const stores = { postgres, clickhouse };
    const written = await exportFile(stores, kind, format, walk, path, progress.show).finally(progress.end);
    await recordExport(context, projectId, kind, format);
    return written;
  };
  const writing =
    format === 'ndjson'
      ? write(null)
      : isElsewhere
        ? exportFromService(context, { kind, format, walk, path }, progress)
        : withFreshClickHouse(context, projectId, write);
  const { records, files } = await writing;
  const counted = records === null ? {} : { [kind]: records };
  return { project: projectId, ...counted, format, files, seconds: Math.round((Date.now() - started) / 100) / 10 };
};

const fileOf = ({ flags, args: [path] }: GivenWords) => {
  if (!path) throw new UsageError('name the file');
  const format = formatOf(flags, path);
  if (format === 'parquet' && path.endsWith('.gz')) throw new UsageError('Parquet is packed already: leave .gz out');
  return { path, format, after: momentOf(flags, 'after'), before: momentOf(flags, 'before') };
};

/** The endings of files, besides `ndjson`, that mean NDJSON. */
const otherEndings = ['jsonl', 'json', 'gz'];

const formatOf = ({ format }: Flags, path: string): ExportFormat => {
  const ending = /\.(\w+?)(\.gz)?$/.exec(basename(path))?.[1];
  const named = format ?? (ending === undefined || otherEndings.includes(ending) ? 'ndjson' : ending);
  const known = exportFormats.find((each) => each === named);
  if (!known)
    throw new UsageError(
      `${format === undefined ? `the ending of ${path} is no format: ` : ''}--format must be one of ${exportFormats.join(', ')}`,
    );
  return known;
};

const momentOf = (flags: Flags, name: string): Date | null => {
  const text = flags[name];
  if (text === undefined) return null;
  const moment = parseTimestamp(text);
  if (moment === null) throw new UsageError(`--${name} must be an ISO 8601 date, such as 2026-01-31T00:00:00Z`);
  return moment;
};

/** Refuses, before anything is read, a file that exists already and a folder that cannot be written. */
const requireWritable = async (path: string): Promise<void> => {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new CommandRefused(`${path} exists already: name another file`);
  await access(dirname(path), constants.W_OK).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandRefused(
      code === 'ENOENT'
        ? `${path} cannot be written, because its folder does not exist: make the folder, or name another file`
        : `${path} cannot be written (${code}): name another file`,
    );
  });
};

const tables = {
  events: { table: pgSql`events`, time: pgSql`timestamp` },
  persons: { table: pgSql`persons`, time: pgSql`created_at` },
  groups: { table: pgSql`groups`, time: pgSql`created_at` },
} as const;

const totalSql = (kind: ExportKind, { projectId, after, before }: Walk): PgSql => {
  const { table, time } = tables[kind];
  return pgSql`SELECT count(*) AS total FROM ${table} WHERE project_id = ${bound(projectId)}
    ${after === null ? pgSql`` : pgSql`AND ${time} > ${bound(after)}::timestamptz`}
    ${before === null ? pgSql`` : pgSql`AND ${time} < ${bound(before)}::timestamptz`}`;
};

const clickHouseIsElsewhere = ({ config, database }: CommandContext): boolean =>
  database.besideService && !config.clickhouseUrl;

/** Opens ClickHouse, which writes CSV and Parquet, and refuses the command unless it has everything that PostgreSQL has. */
const withFreshClickHouse = async <T>(
  context: CommandContext,
  projectId: number,
  write: (clickhouse: ClickHouse) => Promise<T>,
): Promise<T> => {
  const { database } = context;
  await collectOutbox(database.postgres);
  const { rows } = await database.postgres.query(
    pgSql`SELECT FROM outbox WHERE project_id = ${bound(projectId)} LIMIT 1`,
  );
  if (rows.length > 0) {
    throw new CommandRefused('ClickHouse does not have the latest data yet: let the service run until it does');
  }
  const { withMigratedClickHouse } = await import('../clickhouse.js');
  return withMigratedClickHouse(context, write, { fills: false });
};

const recordExport = async (
  { database }: CommandContext,
  projectId: number,
  kind: ExportKind,
  format: ExportFormat,
): Promise<void> => {
  const after = { format, complete: true };
  const change = { type: 'Export', action: 'exported', field: null, before: null, after } as const;
  const itemId = `export/${kind}`;
  const activity = { scope: 'Export', itemId, activity: 'exported', name: `CLI ${itemId}`, changes: [change] } as const;
  const author = { userId: null, requestId: null, now: new Date() };
  const { recordActivity } = await import('../../../kernel/activity/record-activity.js');
  await database.postgres.transaction((client) => recordActivity(client, { id: projectId }, activity, author));
};
