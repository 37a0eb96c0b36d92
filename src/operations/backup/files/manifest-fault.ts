/** PostgreSQL has no longer value, and parts are cut after a fraction of it. */
const maxPartBytes = 1024 ** 3;

const fileName = /^[a-z0-9_][\w.-]{0,199}$/i;
const archivedName = /^\d{1,10}\/\d{4}-\d\d-\d\d\/[a-z0-9-]{1,60}\.parquet$/;
const identifier = /^[a-z_][a-z0-9_]{0,62}$/;
const hexDigest = /^[0-9a-f]{64}$/;

type Holds = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Holds>>;

const is =
  (shape: RegExp): Holds =>
  (value) =>
    typeof value === 'string' && shape.test(value);

const upTo =
  (most: number): Holds =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;

const listOf =
  (holds: Holds): Holds =>
  (value) =>
    Array.isArray(value) && value.every(holds);

const having =
  (fields: Fields): Holds =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(fields).every(([name, holds]) => holds((value as Record<string, unknown>)[name]));

const part = having({
  file: is(fileName),
  size: upTo(2 * maxPartBytes),
  bytes: upTo(maxPartBytes),
  sha256: is(hexDigest),
  content: is(hexDigest),
  etag: (value) => value === undefined || typeof value === 'string',
});

const table = having({
  name: is(identifier),
  columns: listOf(is(identifier)),
  rows: upTo(Number.MAX_SAFE_INTEGER),
  parts: listOf(part),
});

const lists: Readonly<Record<string, Holds>> = {
  migrations: listOf((value) => typeof value === 'string'),
  tables: listOf(table),
  archivedEvents: listOf(having({ name: is(archivedName), part })),
  sequences: listOf(having({ name: is(identifier), value: is(/^-?\d{1,19}$/) })),
};

/** The list of a manifest that no release has written, because its names lead out of the backup or its sizes are no sizes; null for none. */
export const manifestFault = (manifest: object): string | null =>
  Object.entries(lists).find(([name, holds]) => !holds((manifest as Record<string, unknown>)[name]))?.[0] ?? null;
