import { type ClientBase } from 'pg';

/** The keys of changed rows. The shipper reads the rows themselves when it ships, so it always ships the newest state. */
export type OutboxEntry =
  /** New events. */
  | { readonly kind: 'events'; readonly refs: readonly string[] }
  /**
   * Events that were removed from the log. If such an event is sent again later, it is a new event with the same uuid.
   */
  | { readonly kind: 'removed_events'; readonly refs: readonly string[] }
  /** Persons created, changed or deleted, by id. */
  | { readonly kind: 'persons'; readonly refs: readonly string[] }
  /** Distinct ids whose past events belong to another person than they were shipped with. */
  | { readonly kind: 'distinct_ids'; readonly refs: readonly string[] }
  /** Persons that were merged into another one, those merged into them before, and those whose target was deleted. */
  | { readonly kind: 'redirects'; readonly refs: readonly string[] }
  /** Members added to or removed from static cohorts, as `cohort:person`. */
  | { readonly kind: 'static_cohorts'; readonly refs: readonly string[] };

export type OutboxKind = OutboxEntry['kind'];

/** A row is shipped as a whole, so it must stay small in proportion to a shipment. */
const maxRefs = 5000;

const insert = `
  INSERT INTO outbox (project_id, kind, refs, size, created_at)
  SELECT $1, entry.kind, entry.refs, jsonb_array_length(entry.refs), $3
  FROM jsonb_to_recordset($2::jsonb) AS entry (kind text, refs jsonb)`;

/** Must run in the transaction of the change itself, so that no change can be lost. */
export const enqueue = async (
  client: ClientBase,
  projectId: number,
  entries: readonly OutboxEntry[],
  now: Date,
): Promise<void> => {
  const slices = entries.flatMap(({ kind, refs }) => slicesOf(refs).map((slice) => ({ kind, refs: slice })));
  if (slices.length === 0) return;
  await client.query({
    name: 'outbox-insert',
    text: insert,
    values: [projectId, JSON.stringify(slices), now],
  });
};

const slicesOf = (refs: readonly string[]): (readonly string[])[] =>
  Array.from({ length: Math.ceil(refs.length / maxRefs) }, (_, at) => refs.slice(at * maxRefs, (at + 1) * maxRefs));
