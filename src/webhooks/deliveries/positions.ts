import { type NoticeType } from '../../kernel/notices/notice.entity.js';
import { type HistoryPosition } from '../../kernel/memberships/change-position.js';
import { type ChangeKind } from '../../cohorts/changes/changes.dto.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import {
  type AmplitudeProject,
  type Credentials,
  type DestinationFormat,
  type Identifier,
  type WebhookFormat,
} from '../destinations/destination.js';
import { type FormatSettings, type Written } from '../destinations/format-messages.js';
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
  /** Null for the standard format, whose messages are read again. */
  readonly written: WrittenMessage | null;
}

/** A message to a destination, which is kept until its receiver accepts it. */
export interface WrittenMessage extends Written {
  readonly skipped: number;
  /** A page of members; `end` is its last person, null in the last page. */
  readonly page: { readonly number: number; readonly of: number; readonly end: number | null } | null;
}

/** A cohort, or the notices of the project, with something to send to a webhook. */
export interface DuePosition {
  readonly webhook: WebhookKey;
  readonly url: string;
  readonly secret: string;
  readonly credentials: Credentials | null;
  readonly kinds: readonly ChangeKind[];
  readonly events: readonly string[];
  readonly batchSize: number;
  /** Null for the standard format. */
  readonly destination: DestinationPosition | null;
  readonly generation: number;
  /** Has the id `ofNotices` for notices. */
  readonly cohort: { readonly id: number; readonly name: string };
  readonly isDeleted: boolean;
  readonly forgottenChange: number;
  readonly from: HistoryPosition;
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly started: StartedMessage | null;
}

/** How far the members of a cohort were sent to a destination. */
export interface DestinationPosition extends FormatSettings {
  readonly properties: readonly string[];
  /** The last person of the pages that were accepted; null after the last page. */
  readonly pageAfter: number | null;
  readonly pageNumber: number;
  readonly batchLimit: number | null;
  readonly receiverCohort: string | null;
}

interface PositionRow {
  readonly url: string;
  readonly secret: string;
  readonly credentials: Credentials | null;
  readonly kinds: ChangeKind[];
  readonly events: string[];
  readonly batch_size: number;
  readonly format: WebhookFormat;
  readonly identifier: Identifier | null;
  readonly properties: string[];
  readonly amplitude: AmplitudeProject | null;
  readonly generation: number;
  readonly page_after: string | null;
  readonly page_number: number;
  readonly batch_limit: number | null;
  readonly receiver_cohort: string | null;
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
  readonly page: number | null;
  readonly pages: number;
  readonly page_end: string | null;
  readonly skipped: number;
  readonly path: string;
  readonly body: string | null;
}

const next = ({ projectId, id }: WebhookKey, now: Date): PgSql => pgSql`
  SELECT w.url, w.secret, w.credentials, w.kinds, w.events, w.batch_size, w.format, w.identifier, w.properties, w.amplitude,
    p.cohort_id, coalesce(c.name, '') AS name, coalesce(c.deleted, false) AS deleted,
    coalesce(c.forgotten_change, 0) AS forgotten_change, p.change_id, p.change_offset, p.generation, p.page_after, p.page_number,
    p.batch_limit, p.receiver_cohort, p.failures, p.failing_since, d.id AS delivery_id, d.to_change, d.to_offset, d.read_limit,
    d.read_entered, d.changes, d.notice_type, d.created_at, d.page, d.pages, d.page_end, d.skipped, d.path, d.body
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
    credentials: row.credentials,
    destination: row.format === 'standard' ? null : destinationIn(row, row.format),
    generation: row.generation,
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
            written: writtenIn(row),
          },
  };
};

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

const destinationIn = (row: PositionRow, format: DestinationFormat): DestinationPosition => ({
  format,
  identifier: row.identifier,
  amplitude: row.amplitude,
  properties: row.properties,
  pageAfter: numberOrNull(row.page_after),
  pageNumber: row.page_number,
  batchLimit: row.batch_limit,
  receiverCohort: row.receiver_cohort,
});

const writtenIn = ({ path, body, skipped, page, pages, page_end }: PositionRow): WrittenMessage | null =>
  body === null
    ? null
    : { path, body, skipped, page: page === null ? null : { number: page, of: pages, end: numberOrNull(page_end) } };
