import { type Queryable } from '../../stores/postgres/postgres.js';
import { bound, pgSql } from '../../stores/postgres/sql.js';
import { fromBody } from './block-body.js';

/** Where the properties of an event are: in its row, or in a block. */
export interface PlacedEvent {
  readonly uuid: string;
  /** Null when the row has the properties. */
  readonly block: string | null;
}

export interface StoredEvent extends PlacedEvent {
  readonly properties: object | null;
}

export type WithProperties<Row, Properties> = Omit<Row, 'properties' | 'block'> & { readonly properties: Properties };

/** Blocks are small, and this many are in memory at a time. */
const blocksAtOnce = 64;

/**
 * Reads the properties of those events that are in blocks, as JSON text by uuid. An event that was deleted since its row was read
 * is missing.
 */
export const sealedProperties = async (
  reader: Queryable,
  projectId: number,
  events: readonly PlacedEvent[],
): Promise<Map<string, string>> => {
  const found = new Map<string, string>();
  const uuidsOf = new Map<string, Set<string>>();
  for (const { uuid, block } of events) {
    if (block === null) continue;
    const uuids = uuidsOf.get(block);
    if (uuids) uuids.add(uuid);
    else uuidsOf.set(block, new Set([uuid]));
  }
  const blocks = [...uuidsOf.keys()].sort();
  for (let from = 0; from < blocks.length; from += blocksAtOnce) {
    const { rows } = await reader.query<{ id: string; body: Buffer }>(
      pgSql`SELECT id, body FROM event_blocks
        WHERE project_id = ${bound(projectId)} AND id = ANY (${bound(blocks.slice(from, from + blocksAtOnce))}::uuid[])`,
    );
    await Promise.all(
      rows.map(async ({ id, body }) => {
        const sought = uuidsOf.get(id);
        for (const { uuid, properties } of await fromBody(body)) if (sought?.has(uuid)) found.set(uuid, properties);
      }),
    );
  }
  return found;
};

/** The same rows with their properties. Those of events that were deleted since are left out. */
export const withProperties = async <Properties extends object, Row extends StoredEvent>(
  reader: Queryable,
  projectId: number,
  rows: readonly (Row & { readonly properties: Properties | null })[],
): Promise<WithProperties<Row, Properties>[]> => {
  const sealed = await sealedProperties(reader, projectId, rows);
  return rows.flatMap((row) => {
    if (row.block === null) return [row];
    const text = sealed.get(row.uuid);
    return text === undefined ? [] : [{ ...row, properties: JSON.parse(text) as Properties }];
  }) as WithProperties<Row, Properties>[];
};
