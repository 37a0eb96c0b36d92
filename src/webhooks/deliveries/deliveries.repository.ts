import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { encodeChangePosition } from '../../kernel/memberships/change-position.js';
import { isoOrNull } from '../../platform/http/dates.js';
import { isUuid } from '../../platform/values/ids.js';
import { type Slice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, joinedSql, pgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type Sent } from '../sending/send.js';
import { shownType } from '../../kernel/notices/notice.entity.js';
import { cohortChanged } from '../definition/webhook-fields.js';
import { noDelivery } from '../definition/webhook-id.js';
import { type DeliveriesQuery, type DeliveryDto } from './delivery.dto.js';
import { ofNotices } from './webhook-position.entity.js';
import { type WebhookDelivery } from './webhook-delivery.entity.js';

export type DeliveryRow = Stored<WebhookDelivery> & { readonly next_attempt_at: Date | null };

export const deliveryLifetimeDays = 30;
const rowsAtOnce = 5000;

/** Removes old entries, but no message that is still to be sent. */
export const forgetOldDeliveries = async (postgres: Postgres, now: Date): Promise<void> => {
  const before = new Date(now.getTime() - deliveryLifetimeDays * 24 * 3_600_000);
  let removed: number;
  do {
    const { rowCount } = await postgres.query(
      pgSql`DELETE FROM webhook_deliveries AS d USING (
         SELECT project_id, webhook_id, id FROM webhook_deliveries WHERE created_at < ${bound(before)} AND status <> 'waiting'
         ORDER BY created_at LIMIT ${bound(rowsAtOnce)}
       ) AS old
       WHERE d.project_id = old.project_id AND d.webhook_id = old.webhook_id AND d.id = old.id`,
    );
    removed = rowCount ?? 0;
  } while (removed === rowsAtOnce);
};

const select = pgSql`
  SELECT d.*, p.next_attempt_at FROM webhook_deliveries AS d
  LEFT JOIN webhook_positions AS p ON p.project_id = d.project_id AND p.webhook_id = d.webhook_id
    AND p.cohort_id = d.cohort_id AND p.delivery_id = d.id`;

/** Reads and writes the log of deliveries to webhooks. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly postgres: Postgres) {}

  async find(project: ProjectContext, webhookId: number, id: string, client?: ClientBase): Promise<DeliveryRow> {
    if (!isUuid(id)) throw noDelivery(id);
    const reader: Queryable = client ?? this.postgres;
    const { rows } = await reader.query<DeliveryRow>(
      pgSql`${select} WHERE d.project_id = ${bound(project.id)} AND d.webhook_id = ${bound(webhookId)} AND d.id = ${bound(id)}`,
    );
    if (!rows[0]) throw noDelivery(id);
    return rows[0];
  }

  async get(project: ProjectContext, webhookId: number, id: string, client?: ClientBase): Promise<DeliveryDto> {
    return toDeliveryDto(await this.find(project, webhookId, id, client));
  }

  async list(
    project: ProjectContext,
    webhookId: number,
    { limit, offset, status, cohort }: DeliveriesQuery,
  ): Promise<Slice<DeliveryDto>> {
    const parts = [pgSql`d.project_id = ${bound(project.id)} AND d.webhook_id = ${bound(webhookId)}`];
    if (status !== undefined) parts.push(pgSql`d.status = ${bound(status)}`);
    if (cohort !== undefined) parts.push(pgSql`d.cohort_id = ${bound(cohort)}`);
    const where = joinedSql(parts, pgSql` AND `);
    const [page, counted] = await Promise.all([
      this.postgres.query<DeliveryRow>(
        pgSql`${select} WHERE ${where} ORDER BY d.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
      ),
      this.postgres.query<{ count: string }>(pgSql`SELECT count(*) FROM webhook_deliveries AS d WHERE ${where}`),
    ]);
    return { count: Number(counted.rows[0]?.count ?? 0), results: page.rows.map(toDeliveryDto) };
  }

  /** Adds a test, which is sent once. Returns false when the webhook is gone. */
  async addTest(
    client: ClientBase,
    project: ProjectContext,
    webhookId: number,
    id: string,
    now: Date,
    sent: Sent,
  ): Promise<boolean> {
    const { rowCount } = await client.query(
      pgSql`INSERT INTO webhook_deliveries (project_id, webhook_id, id, from_change, from_offset, to_change, to_offset, read_limit, changes,
         status, attempts, response_status, error, created_at, last_attempt_at)
       SELECT project_id, id, ${bound(id)}::uuid, 0, 0, 0, 0, 0, 0, ${bound(sent.error === null ? 'delivered' : 'failed')}, 1,
         ${bound(sent.status)}::integer, ${bound(sent.error)}, ${bound(now)}::timestamptz, ${bound(now)}::timestamptz
       FROM webhooks WHERE project_id = ${bound(project.id)} AND id = ${bound(webhookId)} FOR KEY SHARE`,
    );
    return rowCount !== 0;
  }

  /** Notes that a message was sent again. A delivered message keeps that status, even when it is sent again in vain. */
  async noteReplay(
    client: ClientBase,
    project: ProjectContext,
    webhookId: number,
    id: string,
    now: Date,
    sent: Sent,
  ): Promise<void> {
    await client.query(
      pgSql`UPDATE webhook_deliveries SET attempts = attempts + 1, response_status = ${bound(sent.status)}, error = ${bound(sent.error)},
         last_attempt_at = ${bound(now)}, status = CASE WHEN ${bound(sent.error)}::text IS NULL THEN 'delivered' ELSE status END
       WHERE project_id = ${bound(project.id)} AND webhook_id = ${bound(webhookId)} AND id = ${bound(id)}`,
    );
  }
}

const typeOf = ({ notice_type: notice, cohort_id: cohortId, page }: DeliveryRow): DeliveryDto['type'] => {
  if (notice !== null) return shownType(notice) as DeliveryDto['type'];
  if (cohortId === null) return 'webhook.test';
  return page === null ? cohortChanged : 'cohort.members';
};

const toDeliveryDto = (row: DeliveryRow): DeliveryDto => ({
  id: row.id,
  type: typeOf(row),
  cohort_id: row.cohort_id === ofNotices ? null : row.cohort_id,
  changes: row.changes,
  page: row.page,
  pages: row.pages,
  sent: row.skipped === null ? null : row.changes - row.skipped,
  skipped: row.skipped,
  cursor:
    row.cohort_id === null || row.cohort_id === ofNotices
      ? null
      : encodeChangePosition({ id: Number(row.to_change), offset: row.to_offset }),
  status: row.status,
  attempts: row.attempts,
  response_status: row.response_status,
  error: row.error,
  created_at: row.created_at.toISOString(),
  last_attempt_at: isoOrNull(row.last_attempt_at),
  next_attempt_at: isoOrNull(row.next_attempt_at),
});
