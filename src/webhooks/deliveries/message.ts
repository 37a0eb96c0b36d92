import { noticeLink } from '../../kernel/notices/notice-link.js';
import { type NoticeRow } from '../../kernel/notices/notices.repository.js';
import { listFieldOf, shownType } from '../../kernel/notices/notice.entity.js';
import { type AnyChangeDto } from '../../cohorts/changes/changes.dto.js';

/** A message about the changes of one cohort, as the receiver gets it. */
export interface ChangedMessage {
  readonly projectId: number;
  readonly cohort: { readonly id: number; readonly name: string };
  readonly changes: readonly AnyChangeDto[];
  /** The position after all changes, for `GET cohorts/{id}/changes?after=`, of a cohort of groups `group_changes`. */
  readonly cursor: string;
  readonly createdAt: Date;
}

export const changedBody = ({ projectId, cohort, changes, cursor, createdAt }: ChangedMessage): string =>
  JSON.stringify({
    type: 'cohort.changed',
    timestamp: createdAt.toISOString(),
    data: { project_id: projectId, cohort, changes, cursor },
  });

/** One notice, or several of one type. Null when they are no longer kept. */
export const noticeBody = (projectId: number, notices: readonly NoticeRow[], origin: string | null): string | null => {
  const [first] = notices;
  if (!first) return null;
  const { type, at } = first;
  const field = listFieldOf(type);
  const data = field === null ? first.data : { [field]: notices.map((notice) => notice.data) };
  const url = noticeLink(origin, projectId, first.data);
  return JSON.stringify({
    type: shownType(type),
    timestamp: at.toISOString(),
    data: { project_id: projectId, ...data, ...(url !== null && { url }) },
  });
};

export const testBody = (projectId: number, webhookId: number, createdAt: Date): string =>
  JSON.stringify({
    type: 'webhook.test',
    timestamp: createdAt.toISOString(),
    data: { project_id: projectId, webhook_id: webhookId },
  });
