import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { ActivityRepository } from '../../activity/log/activity.repository.js';
import { type ActivityQuery } from '../../activity/activity.dto.js';
import { sendActivity } from '../../activity/send-activity.js';
import { Problem } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type PersonRef } from '../../kernel/identity/person-ref.js';
import { PersonsRepository } from './persons.repository.js';

/** Serves the activity log of persons. */
@Injectable()
export class PersonActivity {
  constructor(
    private readonly log: ActivityRepository,
    private readonly persons: PersonsRepository,
  ) {}

  sendAll(request: Request, response: Response, project: ProjectContext, query: ActivityQuery): Promise<void> {
    return sendActivity(request, response, this.log, project, { scope: 'Person' }, query);
  }

  async sendOf(
    request: Request,
    response: Response,
    project: ProjectContext,
    ref: PersonRef,
    query: ActivityQuery,
  ): Promise<void> {
    const itemId = await this.itemIdOf(project, ref);
    return sendActivity(request, response, this.log, project, { scope: 'Person', itemId }, query);
  }

  /**
   * Returns the id of the person. A deleted person is found by its integer id as long as the activity log has entries about it.
   */
  private async itemIdOf(project: ProjectContext, ref: PersonRef): Promise<string> {
    try {
      return String((await this.persons.get(project, ref)).id);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'not_found' || !('id' in ref)) throw error;
      const itemId = String(BigInt(ref.id));
      if ((await this.log.count(project, { scope: 'Person', itemId })) === 0) throw error;
      return itemId;
    }
  }
}
