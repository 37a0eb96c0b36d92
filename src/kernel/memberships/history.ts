import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type ChangeReason } from './cohort-change.entity.js';
import { type HistoryPosition } from './change-position.js';
import {
  type Bits,
  type Chunks,
  chunkOf,
  exclude,
  has,
  idsIn,
  include,
  readChunks,
  readSomeChunks,
  unpackIds,
} from './member-chunks.js';

export interface ChangeRow {
  readonly id: string;
  readonly at: Date;
  readonly reason: ChangeReason;
  readonly entered: boolean;
  readonly persons: Buffer;
}

/** One person who entered or left. */
export interface PersonChange<Position = HistoryPosition> {
  readonly personId: number;
  readonly entered: boolean;
  readonly reason: ChangeReason | 'snapshot';
  readonly at: Date;
  /** The position after this change, in the order of reading. */
  readonly position: Position;
}

export interface ReadChanges<Position = HistoryPosition> {
  readonly changes: readonly PersonChange<Position>[];
  /** The position after everything that was read, also after changes that the filter left out. */
  readonly position: Position;
  readonly hasMore: boolean;
}

const rowsAtOnce = 200;

/** Reads the changes after a position, at most `limit` of those that `entered` admits. */
export const changesAfter = async (
  reader: Queryable,
  projectId: number,
  cohortId: number,
  from: HistoryPosition,
  { limit, entered }: { readonly limit: number; readonly entered: boolean | null },
): Promise<ReadChanges> => {
  const { rows } = await reader.query<ChangeRow>(
    pgSql`SELECT id, at, reason, entered, persons FROM cohort_changes
     WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} AND id > ${bound(from.id)}
     ORDER BY id LIMIT ${bound(Math.min(rowsAtOnce, limit + 1))}`.named('cohort-changes'),
  );
  const changes: PersonChange[] = [];
  let position = from;
  for (const row of rows) {
    const afterRow = { id: Number(row.id), offset: 0 };
    const { id: before, offset: read } = position;
    const ids = entered === null || row.entered === entered ? unpackIds(row.persons) : [];
    for (let at = read; at < ids.length; at += 1) {
      if (changes.length === limit) return { changes, position, hasMore: true };
      // After the last person of a row, the position is the one after the row, because the row may be removed one day.
      position = at + 1 < ids.length ? { id: before, offset: at + 1 } : afterRow;
      changes.push({ personId: ids[at] ?? 0, entered: row.entered, reason: row.reason, at: row.at, position });
    }
    position = afterRow;
  }
  return { changes, position, hasMore: rows.length === Math.min(rowsAtOnce, limit + 1) };
};

/** The last recorded change of a cohort; 0 before the first. */
export const lastChange = async (reader: Queryable, projectId: number, cohortId: number): Promise<number> => {
  const { rows } = await reader.query<{ id: string }>(
    pgSql`SELECT id FROM cohort_changes WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)}
     ORDER BY id DESC LIMIT 1`.named('cohort-last-change'),
  );
  return Number(rows[0]?.id ?? 0);
};

/** A moment in the past: the end of a change, or a time. */
export type Then = { readonly id: number } | { readonly at: Date };

/**
 * Takes back the changes after `then`, so that each cohort has its members of that moment. With `only`, takes back changes of
 * these persons only.
 */
const takeBack = async (
  reader: Queryable,
  projectId: number,
  cohorts: ReadonlyMap<number, Chunks>,
  then: Then,
  only: ReadonlySet<number> | null,
): Promise<void> => {
  const condition = 'id' in then ? pgSql`id > ${bound(then.id)}` : pgSql`at > ${bound(then.at)}`;
  const last = Number.MAX_SAFE_INTEGER;
  let before: readonly [cohort: number, id: number] = [2 ** 31 - 1, last];
  for (;;) {
    const { rows } = await reader.query<Pick<ChangeRow, 'id' | 'entered' | 'persons'> & { readonly cohort_id: number }>(
      pgSql`SELECT cohort_id, id, entered, persons FROM cohort_changes
       WHERE project_id = ${bound(projectId)} AND cohort_id = ANY (${bound([...cohorts.keys()])}::integer[]) AND ${condition}
         AND (cohort_id, id) < (${bound(before[0])}::integer, ${bound(before[1])}::bigint)
       ORDER BY cohort_id DESC, id DESC LIMIT ${bound(rowsAtOnce)}`,
    );
    for (const { cohort_id: cohortId, entered, persons } of rows) {
      const members = cohorts.get(cohortId) ?? new Map<number, Bits>();
      for (const id of unpackIds(persons)) {
        if (only && !only.has(id)) continue;
        if (entered) exclude(members, id);
        else include(members, id);
      }
    }
    const end = rows.at(-1);
    if (!end || rows.length < rowsAtOnce) return;
    before = [end.cohort_id, Number(end.id)];
  }
};

/** Persons who entered a cohort at a moment, or left it. */
export interface ChangeThen {
  readonly at: Date;
  readonly entered: boolean;
  readonly persons: readonly number[];
}

/** Reads the changes of a cohort since a moment, by pages. All statements must read one snapshot. */
export async function* changesSince(
  reader: Queryable,
  projectId: number,
  cohortId: number,
  then: Date,
): AsyncGenerator<ChangeThen[], void, undefined> {
  for (let last = '0'; ;) {
    const { rows } = await reader.query<Pick<ChangeRow, 'id' | 'at' | 'entered' | 'persons'>>(
      pgSql`SELECT id, at, entered, persons FROM cohort_changes
       WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} AND at > ${bound(then)} AND id > ${bound(last)}
       ORDER BY id LIMIT ${bound(rowsAtOnce)}`,
    );
    yield rows.map(({ at, entered, persons }) => ({ at, entered, persons: unpackIds(persons) }));
    const end = rows.at(-1);
    if (!end || rows.length < rowsAtOnce) return;
    last = end.id;
  }
}

/** Returns the members of a cohort at the moment `then`. All statements must read one snapshot. */
export const membersThen = async (
  reader: Queryable,
  projectId: number,
  cohortId: number,
  then: Then,
): Promise<Chunks> => {
  const members = await readChunks(reader, projectId, cohortId);
  await takeBack(reader, projectId, new Map([[cohortId, members]]), then, null);
  return members;
};

/**
 * Returns the cohorts that had at least one of the persons as a member at the moment `then`. All statements must read one
 * snapshot.
 */
export const cohortsThen = async (
  reader: Queryable,
  projectId: number,
  cohortIds: readonly number[],
  persons: readonly number[],
  then: Then,
): Promise<ReadonlySet<number>> => {
  const keys = cohortIds.flatMap((cohortId) => persons.map((person) => ({ cohortId, chunk: chunkOf(person) })));
  const now = await readSomeChunks(reader, projectId, keys);
  const cohorts = new Map(cohortIds.map((id): [number, Chunks] => [id, now.get(id) ?? new Map<number, Bits>()]));
  await takeBack(reader, projectId, cohorts, then, new Set(persons));
  return new Set(cohortIds.filter((id) => persons.some((person) => has(cohorts.get(id) ?? new Map(), person))));
};

/** The members with ids above `after`, ascending, at most `limit`. */
export const membersAfter = (members: Chunks, after: number, limit: number): number[] => {
  const found: number[] = [];
  const chunks = [...members.keys()].filter((chunk) => chunk >= chunkOf(after)).sort((a, b) => a - b);
  for (const chunk of chunks) {
    if (found.length >= limit) break;
    for (const id of idsIn(chunk, members.get(chunk) as Uint8Array)) if (id > after) found.push(id);
  }
  return found.slice(0, limit);
};

/** The number of members with ids above `after`. */
export const countAfter = (members: Chunks, after: number): number => {
  let count = 0;
  for (const [chunk, bits] of members) if (chunk > chunkOf(after)) for (const byte of bits) count += ones[byte] ?? 0;
  const first = members.get(chunkOf(after));
  return count + (first ? idsIn(chunkOf(after), first).filter((id) => id > after).length : 0);
};

/** The number of bits that are set in each byte. */
const ones = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);
