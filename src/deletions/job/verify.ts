import { numberOnEveryReplica, onEveryReplica } from '../../platform/clickhouse/schema/known-tables.sql.js';
import { eventsTable, groupsTable, overridesTable } from '../../kernel/projection/schema/projected-tables.js';
import { type SchemaForm } from '../../platform/clickhouse/schema/table.js';
import { type Sql, empty, instant, integer, list, sql, text, unsigned, uuid } from '../../platform/clickhouse/sql.js';
import { countSelected } from '../../kernel/event-log/removal/selected-events.js';
import { loggedEvents } from '../../kernel/event-log/removal/remove-expired-events.js';
import { hasPartSql } from './has-part.sql.js';
import { type Removal, countEvents } from '../../kernel/event-log/removal/remove-events.js';
import { ownersOf } from '../../kernel/projection/cargo/cargo.js';
import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { ClickHouseUnavailable } from '../../platform/clickhouse/errors.js';
import { removeWhere } from '../../platform/clickhouse/remove-where.js';
import { type Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { enqueue } from '../../kernel/projection/outbox/outbox.js';
import { type Lease } from '../../platform/postgres/lease.js';
import {
  type OpenRequest,
  isFinal,
  recordRemaining,
  recordVerified,
  requestedDistinctIds,
  selectedPiece,
  sweepAgain,
} from './deletion-requests.repository.js';
import { type Run } from './deletion-runs.repository.js';

/** A part of the events of a request. */
interface RequestPart {
  /** Counts what the log still has. */
  readonly logged: () => Promise<number>;
  /** The condition for the rows that ClickHouse must not have. */
  readonly remaining: Sql;
}

const receivedBy = (projectId: number, receivedUpTo: Date): Sql =>
  sql`project_id = ${unsigned(projectId)} AND received_at <= ${instant(receivedUpTo)}`;

const countSql = (form: SchemaForm, remaining: Sql): Sql =>
  sql`SELECT ${numberOnEveryReplica(form, sql`uuid`)} AS number FROM ${onEveryReplica(form, eventsTable.name)} AS e
    WHERE ${remaining}`;

const uuidsSql = (form: SchemaForm, remaining: Sql, limit: number): Sql =>
  sql`SELECT DISTINCT toString(uuid) AS id FROM ${onEveryReplica(form, eventsTable.name)} AS e
    WHERE ${remaining} LIMIT ${unsigned(limit)}`;

/**
 * Removes the overrides of distinct ids without a person: once ClickHouse has no event of such an id, the override is the last
 * trace of it there. An id that has a person again keeps its override. So does an id that gets a person meanwhile: its new
 * override has a later version than the ones read here before the owners.
 */
const forgetOverrides = async (
  postgres: Queryable,
  clickhouse: ClickHouse,
  projectId: number,
  { distinctIds }: Removal,
): Promise<void> => {
  const overrides = onEveryReplica(clickhouse.form, overridesTable.name);
  const ofProject = sql`project_id = ${unsigned(projectId)}`;
  const [latest] = await clickhouse.query<{ version: string | null }>(
    sql`SELECT toString(max(version)) AS version FROM ${overrides}
      WHERE ${ofProject} AND distinct_id IN (${list(text, distinctIds)})`,
    { project: 'system' },
  );
  const owners = await ownersOf(postgres, projectId, distinctIds);
  const free = distinctIds.filter((id) => !owners.has(id));
  const version = BigInt(latest?.version ?? '0');
  if (free.length === 0 || version === 0n) return;
  const gone = sql`${ofProject} AND version <= ${unsigned(version)} AND distinct_id IN (${list(text, free)})`;
  await removeWhere(clickhouse, overridesTable.name, gone);
  const remaining = await clickhouse.query(sql`SELECT 1 FROM ${overrides} WHERE ${gone} LIMIT 1`, {
    project: 'system',
  });
  if (remaining.length > 0) throw new ClickHouseUnavailable('A replica has not removed overrides yet');
};

interface Verifier {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly lease: Lease;
}

const idsPerCount = 2000;
/** The number of characters of ids that fit into the URL of a request to a remote ClickHouse. */
const charactersPerCount = 100_000;
const uuidsPerRepair = 5000;

async function* removalsOf(postgres: Postgres, request: OpenRequest): AsyncGenerator<Removal> {
  let after: string | null = null;
  for (;;) {
    const ids: string[] = await requestedDistinctIds(postgres, request, after, idsPerCount);
    if (ids.length === 0) return;
    const distinctIds = fitting(ids);
    yield { distinctIds, receivedUpTo: request.receivedUpTo };
    after = distinctIds.at(-1) ?? null;
  }
}

async function* partsOf(postgres: Postgres, request: OpenRequest): AsyncGenerator<RequestPart> {
  const { projectId, receivedUpTo } = request;
  const received = receivedBy(projectId, receivedUpTo);
  if (request.kind === 'person')
    for await (const removal of removalsOf(postgres, request))
      yield {
        logged: () => countEvents(postgres, projectId, removal),
        remaining: sql`${received} AND distinct_id IN (${list(text, removal.distinctIds)})`,
      };
  let piece = await selectedPiece(postgres, request, -1);
  while (piece) {
    const { scrub, uuids } = piece;
    const selected = piece;
    const parts = scrub ? sql` AND ${hasPartSql(projectId, scrub)}` : empty;
    yield {
      logged: async () => {
        const { rows, warnings } = await countSelected(postgres, projectId, selected);
        return rows + warnings;
      },
      remaining: sql`${received} AND uuid IN (${list(uuid, uuids)})${parts}`,
    };
    piece = await selectedPiece(postgres, request, piece.position);
  }
}

/** Counts the row of a deleted group. A group that was made again under the same key has another id. */
const remainingGroup = async (clickhouse: ClickHouse, { projectId, criteria }: OpenRequest): Promise<number> => {
  const id = criteria?.group_id;
  if (id === undefined) return 0;
  const rows = sql`FROM ${onEveryReplica(clickhouse.form, groupsTable.name)} FINAL
    WHERE project_id = ${unsigned(projectId)} AND id = ${integer(BigInt(id))}`;
  const [counted] = await clickhouse.query<{ number: number }>(sql`SELECT count() AS number ${rows}`, {
    project: 'system',
  });
  return counted?.number ?? 0;
};

/** Returns as many ids as fit, but at least the first, however long it is. */
const fitting = (ids: readonly string[]): string[] => {
  let characters = 0;
  const end = ids.findIndex(
    (id, at) => (characters += encodeURIComponent(id).length + 9) > charactersPerCount && at > 0,
  );
  return end < 0 ? [...ids] : ids.slice(0, end);
};

/**
 * Counts the events that both stores still have; before, ClickHouse must have received all changes. Every replica must answer. If
 * there are none, the request is done. Events that arrived in the log are swept again; events that only ClickHouse has are
 * removed there. Returns the number of remaining events.
 */
export const verify = async (
  { postgres, clickhouse, lease }: Verifier,
  request: OpenRequest,
  run: Run,
  now: () => Date,
): Promise<number> => {
  const { projectId } = request;
  let inLog = 0;
  let inClickHouse = 0;
  const strays: string[] = [];
  for await (const { logged, remaining } of partsOf(postgres, request)) {
    lease.check();
    inLog += await logged();
    const [counted] = await clickhouse.query<{ number: number }>(countSql(clickhouse.form, remaining), {
      project: 'system',
    });
    const number = counted?.number ?? 0;
    inClickHouse += number;
    if (number === 0 || strays.length >= uuidsPerRepair) continue;
    const uuids = uuidsSql(clickhouse.form, remaining, uuidsPerRepair);
    const found = await clickhouse.query<{ id: string }>(uuids, { project: 'system' });
    strays.push(...found.map(({ id }) => id));
  }
  inClickHouse += await remainingGroup(clickhouse, request);
  if (inLog === 0 && inClickHouse === 0 && isFinal(request)) {
    for await (const removal of removalsOf(postgres, request))
      await forgetOverrides(postgres, clickhouse, projectId, removal);
  }
  await postgres.transaction(async (client) => {
    await lease.confirm(client);
    if (inLog > 0) return sweepAgain(client, request, Math.max(inLog, inClickHouse));
    if (inClickHouse === 0) return recordVerified(client, request, run, now());
    // The log may have such events: one was sent again, or lacks a part now. They come again.
    const entries = [
      { kind: 'removed_events', refs: strays },
      { kind: 'events', refs: await loggedEvents(client, projectId, strays) },
    ] as const;
    await enqueue(client, projectId, entries, now());
    await recordRemaining(client, request, inClickHouse);
  });
  return Math.max(inLog, inClickHouse);
};
