import { type ClientBase } from 'pg';

/** What changed, by key. The shipper reads the rows themselves when it ships, so it always ships the newest. */
export type OutboxEntry =
  /** Events that are new. */
  | { readonly kind: 'events'; readonly refs: readonly string[] }
  /** Events that were removed from the log. Should one be sent again later, that is a new event of the same uuid. */
  | { readonly kind: 'removed_events'; readonly refs: readonly string[] }
  /** Persons made, changed or deleted, by id. */
  | { readonly kind: 'persons'; readonly refs: readonly string[] }
  /** Distinct ids whose past events belong to another person than they were shipped with. */
  | { readonly kind: 'distinct_ids'; readonly refs: readonly string[] }
  /** Persons that another one absorbed, and those absorbed by them before. */
  | { readonly kind: 'redirects'; readonly refs: readonly string[] }
  /** Members of static cohorts who came or left, as `cohort:person`. */
  | { readonly kind: 'static_cohorts'; readonly refs: readonly string[] };

export type OutboxKind = OutboxEntry['kind'];

/** A row is shipped as a whole, so it must stay small beside what fits into one shipment. */
const maxRefs = 5000;

const insert = `
  INSERT INTO outbox (project_id, kind, refs, size, created_at)
  SELECT $1, entry.kind, entry.refs, jsonb_array_length(entry.refs), $3
  FROM jsonb_to_recordset($2::jsonb) AS entry (kind text, refs jsonb)`;

/** In the transaction of the change itself, so that nothing can be forgotten. */
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
