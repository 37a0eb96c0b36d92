import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

/** The kinds of items whose changes may change the meaning of a question or make data disappear from its answer. */
const scopes = ['Action', 'Cohort', 'Person', 'Project'];

/**
 * The newest entries that are read of each kind: several, because transactions at the same time may commit their entries in
 * another order than that of the ids.
 */
const entriesRead = 20;
const requestsRead = 100;

/**
 * Computes a text that changes when persons are deleted, split, merged or changed by hand, when events are deleted or expire,
 * and when cohorts, actions or settings change. Each of these changes writes an entry of the log in its transaction.
 */
@Injectable()
export class LastChanges {
  constructor(private readonly postgres: Postgres) {}

  async of({ id }: ProjectContext): Promise<string> {
    const { rows } = await this.postgres.query<{ changes: string }>(
      pgSql`
        SELECT concat_ws(' ', (
          SELECT md5(string_agg(entry.id::text, ',' ORDER BY entry.id))
          FROM unnest(${bound(scopes)}::text[]) AS kind (scope), LATERAL (
            SELECT l.id FROM activity_log AS l WHERE l.project_id = ${bound(id)} AND l.scope = kind.scope
            ORDER BY l.id DESC LIMIT ${bound(entriesRead)}
          ) AS entry
        ), (
          SELECT concat_ws(' ', sum(request.events_deleted + request.events_scrubbed), count(request.verified_at), count(request.settled_at))
          FROM (
            SELECT d.events_deleted, d.events_scrubbed, d.verified_at, d.settled_at FROM deletion_requests AS d
            WHERE d.project_id = ${bound(id)} ORDER BY d.created_at DESC, d.id DESC LIMIT ${bound(requestsRead)}
          ) AS request
        ), (
          SELECT concat_ws(' ', run.id, run.events_deleted, run.state) FROM expiry_runs AS run
          WHERE run.project_id = ${bound(id)} ORDER BY run.started_at DESC, run.id DESC LIMIT 1
        )) AS changes`.named('last-changes'),
    );
    return rows[0]?.changes ?? '';
  }
}
