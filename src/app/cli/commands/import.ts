import { stat } from 'node:fs/promises';
import { type ImportRefusal } from '../../../events/import/import-run.js';
import { CommandRefused, UsageError, type Command, type GivenWords } from '../command.js';
import { namedProject, projectOption } from '../project-flag.js';
import { progressOf } from '../../start/progress.js';
import { moveIn, moveOptions, readMove } from '../move-in.js';

/** The number of rejected lines that the summary lists. All are counted. */
const listedRefusals = 1000;

export const importCommand: Command = {
  name: 'import',
  usage: 'import events.ndjson.gz [--project 1]',
  summary:
    'load persons and events from a file of NDJSON, gzip or not, or with --from a project of PostHog; a second run changes nothing',
  arguments: 1,
  options: { project: projectOption, ...moveOptions },
  check: (given) => void (given.flags.from === undefined ? pathOf(given) : readMove(given)),
  run: async (context) => {
    if (context.flags.from !== undefined) return moveIn(context, readMove(context));
    const path = pathOf(context);
    const bytes = await sizeOf(path);
    const { MovedMembers } = await import('../../../kernel/memberships/moved-members.js');
    const { importFile } = await import('../../../events/import/import-file.js');
    const project = await namedProject(context);
    const progress = progressOf('bytes', bytes, { done: 'read' });
    const stores = { postgres: context.database.postgres, members: new MovedMembers() };
    const started = Date.now();
    const listed: ImportRefusal[] = [];
    const onRefused = (refusals: readonly ImportRefusal[]): void => {
      listed.push(...refusals.slice(0, listedRefusals - listed.length));
    };
    const { id, counts, rejected } = await importFile(stores, project, path, new Date(started), {
      onRead: progress.show,
      onRefused,
    })
      .finally(progress.end)
      .catch((error: unknown) => {
        throw isGzipFault(error)
          ? new CommandRefused(`${path} is not complete gzip data; what was read is stored`)
          : error;
      });
    if (rejected > 0 && counts.persons + counts.events + counts.duplicates === 0) {
      context.logger.error('Nothing was imported: each line must be a JSON object, as `export` writes them in ndjson');
      process.exitCode = 1;
      // Every line of a file in another format has the same fault: three examples are enough.
      listed.length = Math.min(listed.length, 3);
    }
    return {
      project,
      import: id,
      ...counts,
      rejected_count: rejected,
      seconds: Math.round((Date.now() - started) / 100) / 10,
      rejected: listed,
    };
  },
};

const pathOf = ({ args: [path] }: GivenWords): string => {
  if (!path) throw new UsageError('name the file');
  return path;
};

const sizeOf = async (path: string): Promise<number> => {
  const status = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(`${path} cannot be read (${error.code})`);
  });
  if (!status.isFile()) throw new CommandRefused(`${path} is not a file`);
  return status.size;
};

const isGzipFault = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  ['Z_DATA_ERROR', 'Z_BUF_ERROR'].includes(String(error.code));
