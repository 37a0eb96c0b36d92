import { type NoticeType } from '../../kernel/notices/notice.entity.js';
import { type HistoryPosition } from '../../kernel/memberships/change-position.js';
import { type ChangeKind } from '../../cohorts/changes/changes.dto.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type WebhookEvent } from '../definition/webhook-fields.js';
import { mayBeSent, type WebhookKey } from './new-changes.js';
import { ofNotices } from './webhook-position.entity.js';

/** A started message. Its id and its content stay the same until the receiver accepts it. */
export interface StartedMessage {
  readonly id: string;
  readonly to: HistoryPosition;
  readonly limit: number;
  readonly entered: boolean | null;
  readonly changes: number;
  readonly noticeType: NoticeType | null;
  readonly createdAt: Date;
}

/** A cohort, or the notices of the project, with something to send to a webhook. */
export interface DuePosition {
  readonly webhook: WebhookKey;
  readonly url: string;
  readonly secret: string;
  readonly kinds: readonly ChangeKind[];
  readonly events: readonly WebhookEvent[];
  readonly batchSize: number;
  /** Has the id `ofNotices` for notices. */
  readonly cohort: { readonly id: number; readonly name: string };
  readonly isDeleted: boolean;
  readonly forgottenChange: number;
  readonly from: HistoryPosition;
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly started: StartedMessage | null;
}

interface PositionRow {
  readonly url: string;
  readonly secret: string;
  readonly kinds: ChangeKind[];
  readonly events: WebhookEvent[];
  readonly batch_size: number;
  readonly cohort_id: number;
  readonly name: string;
  readonly deleted: boolean;
  readonly forgotten_change: string;
  readonly change_id: string;
  readonly change_offset: number;
  readonly failures: number;
  readonly failing_since: Date | null;
  readonly delivery_id: string | null;
  readonly to_change: string;
  readonly to_offset: number;
  readonly read_limit: number;
  readonly read_entered: boolean | null;
  readonly changes: number;
  readonly notice_type: NoticeType | null;
  readonly created_at: Date;
}

const next = ({ projectId, id }: WebhookKey, now: Date): PgSql => pgSql`
  SELECT w.url, w.secret, w.kinds, w.events, w.batch_size, p.cohort_id, coalesce(c.name, '') AS name,
    coalesce(c.deleted, false) AS deleted, coalesce(c.forgotten_change, 0) AS forgotten_change, p.change_id, p.change_offset,
    p.failures, p.failing_since, d.id AS delivery_id, d.to_change, d.to_offset, d.read_limit, d.read_entered, d.changes, d.notice_type, d.created_at
  FROM webhook_positions AS p
  JOIN webhooks AS w ON w.project_id = p.project_id AND w.id = p.webhook_id
  LEFT JOIN cohorts AS c ON c.project_id = p.project_id AND c.id = p.cohort_id
  LEFT JOIN webhook_deliveries AS d ON d.project_id = p.project_id AND d.webhook_id = p.webhook_id AND d.id = p.delivery_id
  WHERE p.project_id = ${bound(projectId)} AND p.webhook_id = ${bound(id)} AND ${mayBeSent(now)}
    AND w.paused_at IS NULL AND (c.id IS NOT NULL OR p.cohort_id = ${bound(ofNotices)})
  ORDER BY p.next_attempt_at, p.cohort_id LIMIT 1`;

/** Returns the cohort that waits longest; null when none has something to send now. */
export const nextPosition = async (reader: Queryable, webhook: WebhookKey, now: Date): Promise<DuePosition | null> => {
  const { rows } = await reader.query<PositionRow>(next(webhook, now).named('webhooks-next'));
  const [row] = rows;
  if (!row) return null;
  return {
    webhook,
    url: row.url,
    secret: row.secret,
    kinds: row.kinds,
    events: row.events,
    batchSize: row.batch_size,
    cohort: { id: row.cohort_id, name: row.name },
    isDeleted: row.deleted,
    forgottenChange: Number(row.forgotten_change),
    from: { id: Number(row.change_id), offset: row.change_offset },
    failures: row.failures,
    failingSince: row.failing_since,
    started:
      row.delivery_id === null
        ? null
        : {
            id: row.delivery_id,
            to: { id: Number(row.to_change), offset: row.to_offset },
            limit: row.read_limit,
            entered: row.read_entered,
            changes: row.changes,
            noticeType: row.notice_type,
            createdAt: row.created_at,
          },
  };
};
