import { Injectable } from '@nestjs/common';
import { Workers } from '../../common/background/workers.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';
import { undoableSince } from './merge-records.js';

const everyMs = 3_600_000;
const chunk = 1000;

/**
 * A merge that was undone says how later records are to be read, so it is kept as long as the latest of those. Records come in
 * the order of time, so the first ones of a project are enough.
 */
const oldMerges = (projectId: number, behind: string): PgSql => pgSql`
  SELECT id, greatest(merged_at, undone_at) AS last FROM person_merges
  WHERE project_id = ${bound(projectId)} AND id > ${bound(behind)}::bigint ORDER BY id LIMIT ${bound(chunk)}`;

const oldSplits = (projectId: number, behind: string): PgSql => pgSql`
  SELECT id, greatest(split_at, undone_at) AS last FROM person_splits
  WHERE project_id = ${bound(projectId)} AND id > ${bound(behind)}::bigint ORDER BY id LIMIT ${bound(chunk)}`;

const removeMerges = (projectId: number, ids: readonly string[]): PgSql => {
  const [project, merges] = [bound(projectId), bound(ids)];
  return pgSql`
    WITH gone AS (
      DELETE FROM person_merge_ids WHERE project_id = ${project} AND merge_id = ANY (${merges}::bigint[])
    )
    DELETE FROM person_merges WHERE project_id = ${project} AND id = ANY (${merges}::bigint[])`;
};

const removeSplits = (projectId: number, ids: readonly string[]): PgSql =>
  pgSql`DELETE FROM person_splits WHERE project_id = ${bound(projectId)} AND id = ANY (${bound(ids)}::bigint[])`;

interface Aged {
  readonly id: string;
  readonly last: Date;
}

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
    const { rows } = await this.postgres.query<{ id: number }>(pgSql`SELECT id FROM projects ORDER BY id`);
    for (const { id } of rows) {
      await this.sweep(id, now, oldMerges, removeMerges);
      await this.sweep(id, now, oldSplits, removeSplits);
    }
  }

  private async sweep(
    projectId: number,
    now: Date,
    select: (projectId: number, behind: string) => PgSql,
    remove: (projectId: number, ids: readonly string[]) => PgSql,
  ): Promise<void> {
    const before = undoableSince(now);
    let behind = '0';
    for (;;) {
      const { rows } = await this.postgres.query<Aged>(select(projectId, behind));
      const old = rows.filter(({ last }) => last < before).map(({ id }) => id);
      if (old.length > 0) await this.postgres.query(remove(projectId, old));
      const last = rows.at(-1);
      if (!last || rows.length < chunk || old.length === 0) return;
      behind = last.id;
    }
  }
}
