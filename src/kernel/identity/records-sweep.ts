import { Injectable } from '@nestjs/common';
import { Workers } from '../../platform/work/workers.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { undoableSince } from './merges.repository.js';

const everyMs = 3_600_000;
/** The ids of records follow time, so a statement looks only at this many first records of a project. */
const chunk = 1000;

/** An undone merge is kept as long as the records that were written before its undo, which are read with its help. */
const removeMerges = (projectId: number, before: Date): PgSql => {
  const project = bound(projectId);
  return pgSql`
    WITH old AS (
      SELECT id FROM (
        SELECT id, greatest(merged_at, undone_at) AS last FROM person_merges
        WHERE project_id = ${project} ORDER BY id LIMIT ${bound(chunk)}
      ) AS first WHERE last < ${bound(before)}
    ), ids AS (
      DELETE FROM person_merge_ids AS i USING old WHERE i.project_id = ${project} AND i.merge_id = old.id
    )
    DELETE FROM person_merges AS r USING old WHERE r.project_id = ${project} AND r.id = old.id`;
};

const removeSplits = (projectId: number, before: Date): PgSql => {
  const project = bound(projectId);
  return pgSql`
    WITH old AS (
      SELECT id FROM (
        SELECT id, greatest(split_at, undone_at) AS last FROM person_splits
        WHERE project_id = ${project} ORDER BY id LIMIT ${bound(chunk)}
      ) AS first WHERE last < ${bound(before)}
    )
    DELETE FROM person_splits AS s USING old WHERE s.project_id = ${project} AND s.id = old.id`;
};

/** Removes the records of merges and splits that can no longer be undone. */
@Injectable()
export class RecordsSweep {
  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
  ) {
    workers.every(everyMs, {
      name: 'merge records',
      task: 'merge_records',
      warning: 'old records of merges could not be removed and are removed later',
      run: () => this.run(new Date()),
    });
  }

  async run(now: Date): Promise<void> {
    const before = undoableSince(now);
    const { rows } = await this.postgres.query<{ id: number }>(pgSql`SELECT id FROM projects ORDER BY id`);
    for (const { id } of rows)
      for (const statement of [removeMerges(id, before), removeSplits(id, before)])
        for (let removed = 1; removed > 0;) removed = (await this.postgres.query(statement)).rowCount ?? 0;
  }
}
