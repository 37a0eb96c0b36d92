import { type Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { maxLibraries, type Outcome } from './tally.js';

interface CountedEvents {
  readonly projectId: number;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly events: number;
  readonly at: Date;
}

interface CountedLibrary {
  readonly projectId: number;
  readonly name: string;
  readonly version: string;
  readonly at: Date;
}

export interface StoredCounts {
  readonly events: CountedEvents[];
  readonly libraries: CountedLibrary[];
}

/**
 * Adds to the stored counts in one transaction, without those of deleted projects. Rows are written in the order of their keys,
 * so that processes do not deadlock.
 */
export const storeCounts = (postgres: Postgres, { events, libraries }: StoredCounts): Promise<void> =>
  postgres.transaction(
    async (client) => {
      await addEvents(client, events);
      if (libraries.length > 0) await addLibraries(client, libraries);
    },
    { repeat: true },
  );

const addEvents = async (client: Queryable, events: readonly CountedEvents[]): Promise<void> => {
  await client.query(
    pgSql`INSERT INTO ingestion_counts AS c (project_id, outcome, reason, events, last_at)
     SELECT new.project_id, new.outcome, new.reason, new.events, new.at
     FROM unnest(${bound(events.map(({ projectId }) => projectId))}::int[], ${bound(events.map(({ outcome }) => outcome))}::text[],
       ${bound(events.map(({ reason }) => reason))}::text[], ${bound(events.map((each) => each.events))}::bigint[],
       ${bound(events.map(({ at }) => at))}::timestamptz[]) AS new (project_id, outcome, reason, events, at)
       JOIN projects p ON p.id = new.project_id AND p.deleted_at IS NULL
     ORDER BY 1, 2, 3
     ON CONFLICT (project_id, outcome, reason) DO UPDATE
       SET events = c.events + EXCLUDED.events, last_at = greatest(c.last_at, EXCLUDED.last_at)`.named(
      'ingestion-counts',
    ),
  );
};

const addLibraries = async (client: Queryable, libraries: readonly CountedLibrary[]): Promise<void> => {
  const projects = bound(libraries.map(({ projectId }) => projectId));
  await client.query(
    pgSql`INSERT INTO ingestion_libraries AS l (project_id, name, version, last_seen_at)
     SELECT new.project_id, new.name, new.version, new.at
     FROM unnest(${projects}::int[], ${bound(libraries.map(({ name }) => name))}::text[],
       ${bound(libraries.map(({ version }) => version))}::text[], ${bound(libraries.map(({ at }) => at))}::timestamptz[])
       AS new (project_id, name, version, at)
       JOIN projects p ON p.id = new.project_id AND p.deleted_at IS NULL
     ORDER BY 1, 2, 3
     ON CONFLICT (project_id, name, version) DO UPDATE SET last_seen_at = greatest(l.last_seen_at, EXCLUDED.last_seen_at)`.named(
      'ingestion-libraries',
    ),
  );
  await client.query(
    pgSql`DELETE FROM ingestion_libraries AS l USING (
       SELECT project_id, name, version,
         row_number() OVER (PARTITION BY project_id ORDER BY last_seen_at DESC, name, version) AS place
       FROM ingestion_libraries WHERE project_id = ANY (${projects}::int[])
     ) AS ranked
     WHERE ranked.place > ${bound(maxLibraries)} AND l.project_id = ranked.project_id AND l.name = ranked.name
       AND l.version = ranked.version`.named('ingestion-libraries-oldest'),
  );
};

export interface CountRow {
  readonly outcome: Outcome;
  readonly reason: string;
  readonly events: string;
  readonly last_at: Date;
}

export interface LibraryRow {
  readonly name: string;
  readonly version: string;
  readonly last_seen_at: Date;
}

export const readCounts = async (
  postgres: Queryable,
  projectId: number,
): Promise<{ readonly counts: readonly CountRow[]; readonly libraries: readonly LibraryRow[] }> => {
  const project = bound(projectId);
  const [counts, libraries] = await Promise.all([
    postgres.query<CountRow>(
      pgSql`SELECT outcome, reason, events, last_at FROM ingestion_counts WHERE project_id = ${project}
       ORDER BY events DESC, reason`,
    ),
    postgres.query<LibraryRow>(
      pgSql`SELECT name, version, last_seen_at FROM ingestion_libraries WHERE project_id = ${project}
       ORDER BY last_seen_at DESC, name, version`,
    ),
  ]);
  return { counts: counts.rows, libraries: libraries.rows };
};
