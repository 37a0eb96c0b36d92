import { type Walk } from '../../exports/files/chunk.js';
import { type FileExport, numberedFile, writeWhole } from '../../exports/files/export-file.js';
import { type ExportKind } from '../../exports/kinds.js';
import { type TableFormat } from '../../exports/files/tables.sql.js';
import { CommandRefused, type CommandContext } from './command.js';
import { type Progress } from '../start/progress.js';
import { withService, type AskService } from './running-service.js';

interface RequestedExport {
  readonly kind: ExportKind;
  readonly format: TableFormat;
  readonly walk: Walk;
  readonly path: string;
}

interface Taken extends Pick<FileExport, 'files'> {
  /** Null for Parquet, whose records are not counted here. */
  readonly records: number | null;
}

const scopeOf = { events: 'event:read', persons: 'person:read', groups: 'group:read' } as const;

/**
 * Writes the files that the running service sends: only ClickHouse makes CSV and Parquet, and the service has it open.
 * The service records the export in the activity log.
 */
export const exportFromService = (
  context: CommandContext,
  requested: RequestedExport,
  progress: Progress,
): Promise<Taken> => {
  const { kind, walk } = requested;
  const access = { project: walk.projectId, scopes: [scopeOf[kind]], command: `export ${kind}`, minutes: 360 };
  return withService(context, access, (ask): Promise<Taken> =>
    requested.format === 'csv' ? csvFile(ask, requested, progress) : parquetFiles(ask, requested),
  );
};

const csvFile = async (ask: AskService, requested: RequestedExport, progress: Progress) => {
  const answer = await ask(pathOf(requested));
  let records = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    const count = csvRecords();
    for await (const bytes of bytesOf(answer)) {
      yield bytes;
      progress.show((records = count(bytes)));
    }
  };
  await writeWhole(requested.path, counted()).finally(progress.end);
  return { records, files: [requested.path] };
};

const parquetFiles = async (ask: AskService, requested: RequestedExport) => {
  const files: string[] = [];
  for (let path: string | null = pathOf(requested); path !== null;) {
    const answer = await ask(path);
    const file = numberedFile(requested.path, files.length + 1);
    await writeWhole(file, bytesOf(answer));
    files.push(file);
    path = nextOf(answer);
  }
  return { records: null, files };
};

const pathOf = ({ kind, format, walk: { projectId, after, before } }: RequestedExport): string => {
  const query = new URLSearchParams({
    format,
    ...(after && { after: after.toISOString() }),
    ...(before && { before: before.toISOString() }),
  });
  return `/api/projects/${projectId}/export/${kind}?${query.toString()}`;
};

/** Returns only the path of the next file: behind a proxy, the service may have another address than the command uses. */
const nextOf = (answer: Response): string | null => {
  const [, link] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? [];
  if (link === undefined) return null;
  const { pathname, search } = new URL(link);
  return pathname + search;
};

const bytesOf = async function* ({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    if (body) yield* body;
  } catch {
    throw new CommandRefused(
      'the service ended its answer before the file was complete: look into its log, and try again',
    );
  }
};

const [quote, newLine] = [0x22, 0x0a];

/** Counts the records of a CSV with a header, given in parts that may end anywhere. A quoted line break ends no record. */
export const csvRecords = (): ((bytes: Uint8Array) => number) => {
  let [lines, isQuoted] = [0, false];
  return (bytes) => {
    for (const byte of bytes) {
      if (byte === quote) isQuoted = !isQuoted;
      else if (byte === newLine && !isQuoted) lines += 1;
    }
    return Math.max(0, lines - 1);
  };
};
