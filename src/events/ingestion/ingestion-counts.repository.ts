import { type Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

/** The outcome of a captured event. Only rejections have a reason. */
type Outcome = 'accepted' | 'duplicate' | 'rejected';

interface Tally {
  readonly outcome: Outcome;
  /** The code of a rejection; empty for other outcomes. */
  readonly reason: string;
  /** The events that this process has counted since its start. */
  events: number;
  /** The part of `events` that is already stored. */
  stored: number;
  lastAt: number;
}

export interface Library {
  readonly name: string;
  readonly version: string;
}

interface SeenLibrary extends Library {
  at: number;
}

const maxLibraryCharacters = 100;
/** Each project keeps at most this many names, in memory and in the store, because clients choose them. */
export const maxLibraries = 100;

const shortText = (value: string): string => value.slice(0, maxLibraryCharacters).replaceAll('\0', '');

/** Returns the client library that an event names; null if it names none. */
export const libraryOf = ({ $lib, $lib_version }: Readonly<Record<string, unknown>>): Library | null =>
  typeof $lib === 'string' && $lib !== ''
    ? { name: $lib, version: typeof $lib_version === 'string' ? $lib_version : '' }
    : null;

/** The counts of one project in this process. */
export class ProjectTally {
  /** The tallies, by outcome or, for rejections, by reason. */
  readonly tallies = new Map<string, Tally>();
  /** The libraries that were seen since the last time they were stored. */
  private libraries = new Map<string, SeenLibrary>();
  /** The last library and its entry, because the next request usually has the same library. */
  private last: { readonly sent: Library; readonly seen: SeenLibrary } | null = null;

  add(outcome: Outcome, reason: string, events: number, at: number): void {
    if (events === 0) return;
    const key = reason === '' ? outcome : reason;
    const tally = this.tallies.get(key);
    if (!tally) {
      this.tallies.set(key, { outcome, reason, events, stored: 0, lastAt: at });
      return;
    }
    tally.events += events;
    if (at > tally.lastAt) tally.lastAt = at;
  }

  saw(sent: Library, at: number): void {
    const { last } = this;
    if (last && last.sent.name === sent.name && last.sent.version === sent.version) {
      if (at > last.seen.at) last.seen.at = at;
      return;
    }
    const [name, version] = [shortText(sent.name), shortText(sent.version)];
    const key = `${name}\0${version}`;
    const known = this.libraries.get(key);
    if (!known && this.libraries.size >= maxLibraries) return;
    const seen = known ?? { name, version, at };
    if (at > seen.at) seen.at = at;
    this.libraries.set(key, seen);
    this.last = { sent, seen };
  }

  takeLibraries(): readonly SeenLibrary[] {
    const taken = [...this.libraries.values()];
    this.libraries = new Map();
    this.last = null;
    return taken;
  }
}

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
