import { countEvents, type Removal } from '../../kernel/event-log/removal/remove-events.js';
import { enqueue } from '../../kernel/projection/outbox/outbox.js';
import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { type Lease } from '../../platform/postgres/lease.js';
import { remainingCountSql, remainingUuidsSql } from './remaining.sql.js';
import { forgetOverrides } from './forget-overrides.js';
import {
  requestedDistinctIds,
  isFinal,
  recordRemaining,
  recordVerified,
  sweepAgain,
  type OpenRequest,
} from './deletion-requests.repository.js';
import { type Run } from './deletion-runs.repository.js';
import { type Postgres } from '../../platform/postgres/postgres.js';

export interface Verifier {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly lease: Lease;
}

const idsPerCount = 2000;
/** The space for ids in the URL of a remote ClickHouse. */
const charactersPerCount = 100_000;
const uuidsPerRepair = 5000;

async function* removalsOf(postgres: Postgres, request: OpenRequest): AsyncGenerator<Removal> {
  let after: string | null = null;
  for (;;) {
    const ids: string[] = await requestedDistinctIds(postgres, request, after, idsPerCount);
    if (ids.length === 0) return;
    const distinctIds = fitting(ids);
    yield { distinctIds, receivedUpTo: request.createdAt };
    after = distinctIds.at(-1) ?? null;
  }
}

/** Takes the first id in any case, however long it is. */
const fitting = (ids: readonly string[]): string[] => {
  let characters = 0;
  const end = ids.findIndex(
    (id, at) => (characters += encodeURIComponent(id).length + 9) > charactersPerCount && at > 0,
  );
  return end < 0 ? [...ids] : ids.slice(0, end);
};

/**
 * Counts the events that both stores still have; ClickHouse must have received all changes before, and every replica must
 * answer. With none left, the request is done. Events that arrived in the log since are swept again, and events that only
 * ClickHouse has are removed there. Returns the number of events that are left.
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
  for await (const removal of removalsOf(postgres, request)) {
    lease.check();
    inLog += await countEvents(postgres, projectId, removal);
    const [counted] = await clickhouse.query<{ number: number }>(
      remainingCountSql(clickhouse.form, projectId, removal),
      {
        project: 'system',
      },
    );
    const number = counted?.number ?? 0;
    inClickHouse += number;
    if (number === 0 || strays.length >= uuidsPerRepair) continue;
    const uuids = remainingUuidsSql(clickhouse.form, projectId, removal, uuidsPerRepair);
    const remaining = await clickhouse.query<{ id: string }>(uuids, { project: 'system' });
    strays.push(...remaining.map(({ id }) => id));
  }
  if (inLog === 0 && inClickHouse === 0 && isFinal(request)) {
    for await (const removal of removalsOf(postgres, request))
      await forgetOverrides(postgres, clickhouse, projectId, removal);
  }
  await postgres.transaction(async (client) => {
    await lease.confirm(client);
    if (inLog > 0) return sweepAgain(client, request, Math.max(inLog, inClickHouse));
    if (inClickHouse === 0) return recordVerified(client, request, run, now());
    await enqueue(client, projectId, [{ kind: 'removed_events', refs: strays }], now());
    await recordRemaining(client, request, inClickHouse);
  });
  return Math.max(inLog, inClickHouse);
};
