import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type PastPosition } from './change-position.js';
import { type ChangeRow, type PersonChange, type ReadChanges } from './history.js';
import { unpackIds } from './member-chunks.js';

const mostRowsAtOnce = 200;

/** The position after every change. Its id has 15 digits, the most that an encoded position may have. */
const end: PastPosition = { before: 1e15 - 1, remaining: 0 };

/** Reads the changes before a position, the last one first, at most `limit` of those that `entered` admits. */
export const changesBefore = async (
  reader: Queryable,
  projectId: number,
  cohortId: number,
  from: PastPosition | null,
  { limit, entered }: { readonly limit: number; readonly entered: boolean | null },
): Promise<ReadChanges<PastPosition>> => {
  const { before, remaining } = from ?? end;
  const rowsAtOnce = Math.min(mostRowsAtOnce, limit + 1);
  const changes: PersonChange<PastPosition>[] = [];
  let position = from ?? end;
  let next = remaining > 0 ? before : before - 1;
  // Skips changes that the filter leaves out, because readers of pages with few changes would have to ask again and again.
  for (;;) {
    const rows = await readRows(reader, projectId, cohortId, { upTo: next, entered, count: rowsAtOnce });
    for (const row of rows) {
      const id = Number(row.id);
      const ids = unpackIds(row.persons);
      for (
        let at = (id === before && remaining > 0 ? Math.min(remaining, ids.length) : ids.length) - 1;
        at >= 0;
        at -= 1
      ) {
        if (changes.length === limit) return { changes, position, hasMore: true };
        position = { before: id, remaining: at };
        changes.push({ personId: ids[at] ?? 0, entered: row.entered, reason: row.reason, at: row.at, position });
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtOnce) return { changes, position, hasMore: false };
    next = Number(last.id) - 1;
  }
};

const readRows = async (
  reader: Queryable,
  projectId: number,
  cohortId: number,
  { upTo, entered, count }: { readonly upTo: number; readonly entered: boolean | null; readonly count: number },
): Promise<readonly ChangeRow[]> => {
  const kind = entered === null ? pgSql`` : pgSql` AND entered = ${bound(entered)}`;
  const { rows } = await reader.query<ChangeRow>(
    pgSql`SELECT id, at, reason, entered, persons FROM cohort_changes
     WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} AND id <= ${bound(upTo)}${kind}
     ORDER BY id DESC LIMIT ${bound(count)}`,
  );
  return rows;
};
