import { type PoolClient } from 'pg';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { type Cargo } from '../cargo/cargo.js';
import { outboxContents } from './outbox-contents.sql.js';
import { planChunks, projectsIn, type OutboxContent, type Shipment } from './shipment.js';

/** A shipment is repeated this often when the fault seems to be its own. */
const maxFailures = 5;

export type FailedShipment = 'to be repeated' | 'divided' | 'parked';

interface Failure {
  readonly shipment: Shipment;
  readonly reason: string;
  readonly now: Date;
}

/**
 * Counts the failure of a shipment. After several failures, a shipment of many projects is divided into one for each, so that
 * the other projects go on; a shipment of one project is parked.
 */
export const recordFailedShipment = async (
  client: PoolClient,
  cargoes: readonly Cargo[],
  { shipment, reason, now }: Failure,
): Promise<FailedShipment> => {
  const { number } = shipment;
  const { rows } = await client.query<{ failures: number }>(
    pgSql`UPDATE shipments SET failures = failures + 1, error = ${bound(reason)} WHERE number = ${bound(number)} RETURNING failures`,
  );
  if ((rows[0]?.failures ?? 0) < maxFailures) return 'to be repeated';
  const [first, ...others] = projectsIn(shipment);
  if (first === undefined) return 'to be repeated';
  if (others.length > 0) {
    await divide(client, cargoes, shipment, now);
    return 'divided';
  }
  await client.query(
    pgSql`UPDATE shipments SET project_id = ${bound(first)}, parked_at = ${bound(now)} WHERE number = ${bound(number)}`,
  );
  return 'parked';
};

const divide = async (
  client: PoolClient,
  cargoes: readonly Cargo[],
  { number, outboxIds }: Shipment,
  now: Date,
): Promise<void> => {
  const { rows: contents } = await client.query<OutboxContent>(outboxContents(outboxIds));
  const { rows: deleted } = await client.query<{ holder: string }>(
    pgSql`DELETE FROM shipments WHERE number = ${bound(number)} RETURNING holder`,
  );
  const holder = deleted[0]?.holder;
  for (const projectId of new Set(contents.map((content) => content.projectId))) {
    const own = contents.filter((content) => content.projectId === projectId);
    const chunks = await planChunks(client, cargoes, own);
    await client.query(
      pgSql`
        INSERT INTO shipments (outbox_ids, chunks, claimed_at, holder, projects, project_id, replaces)
        VALUES (${bound(own.map(({ id }) => id))}, ${bound(JSON.stringify(chunks))}, ${bound(now)}, ${bound(holder)},
          ${bound([projectId])}, ${bound(projectId)}, ${bound(number)})`,
    );
  }
};
