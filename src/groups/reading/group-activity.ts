import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type ActivityQuery } from '../../activity/activity.dto.js';
import { ActivityRepository } from '../../activity/log/activity.repository.js';
import { sendActivity } from '../../activity/send-activity.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { noGroup } from '../../kernel/groups/group-id.js';
import { GroupsRepository } from './groups.repository.js';

/** Serves the activity log of a group. A deleted group has one as long as there are entries. */
@Injectable()
export class GroupActivity {
  constructor(
    private readonly log: ActivityRepository,
    private readonly groups: GroupsRepository,
  ) {}

  async send(
    request: Request,
    response: Response,
    project: ProjectContext,
    id: string,
    query: ActivityQuery,
  ): Promise<void> {
    const subject = { scope: 'Group', itemId: String(BigInt(id)) } as const;
    const isThere = (await this.groups.withIds(project, [id])).size > 0;
    if (!isThere && (await this.log.count(project, subject)) === 0) throw noGroup(id);
    return sendActivity(request, response, this.log, project, subject, query);
  }
}
