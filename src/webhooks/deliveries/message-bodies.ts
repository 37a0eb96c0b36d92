import { Injectable } from '@nestjs/common';
import { CohortFeed, type FeedPage } from '../../cohorts/changes/cohort-feed.js';
import { encodeChangePosition, type HistoryPosition } from '../../kernel/memberships/change-position.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type NoticeRow } from '../../kernel/notices/notices.repository.js';
import { Config } from '../../platform/config/config.js';
import { changedBody, noticeBody } from './message.js';

export interface MessageContent {
  readonly cohort: { readonly id: number; readonly name: string };
  readonly from: HistoryPosition;
  readonly to: HistoryPosition;
  readonly limit: number;
  readonly entered: boolean | null;
  readonly changes: number;
  readonly createdAt: Date;
}

/** Reads the content of messages from the history of cohorts, so that no message is stored with data about persons. */
@Injectable()
export class MessageBodies {
  constructor(
    private readonly feed: CohortFeed,
    private readonly config: Config,
  ) {}

  ofNotices(project: ProjectContext, notices: readonly NoticeRow[]): string | null {
    return noticeBody(project.id, notices, this.config.publicOrigin);
  }

  /** Returns the changes after a position, as the feed of the cohort lists them. */
  changesAfter(
    project: ProjectContext,
    cohortId: number,
    after: HistoryPosition,
    { limit, entered }: Pick<MessageContent, 'limit' | 'entered'>,
  ): Promise<FeedPage> {
    return this.feed.read(project, cohortId, { of: null, after, limit, entered });
  }

  /** Returns the body of a started message. Read with the same limit, the history yields the same changes again. */
  async bodyOf(project: ProjectContext, content: MessageContent): Promise<string> {
    const page = await this.changesAfter(project, content.cohort.id, content.from, content);
    return changedBody({
      projectId: project.id,
      cohort: content.cohort,
      changes: page.changes.slice(0, content.changes),
      cursor: encodeChangePosition(content.to),
      createdAt: content.createdAt,
    });
  }
}
