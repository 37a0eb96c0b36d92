import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { cursorPageOf } from '../../platform/http/page.dto.js';
import { sendList } from '../../platform/csv/send-list.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type DistinctIdsQuery } from './distinct-id.dto.js';
import { DistinctIds, toDistinctIdDto } from './distinct-ids.js';
import { type PersonRef } from '../../kernel/identity/person-ref.js';

@Injectable()
export class DistinctIdsResponder {
  constructor(private readonly distinctIds: DistinctIds) {}

  async send(
    request: Request,
    response: Response,
    project: ProjectContext,
    ref: PersonRef,
    query: DistinctIdsQuery,
  ): Promise<void> {
    const cursor = this.distinctIds.cursorOf(query);
    await sendList(request, response, query, {
      page: async () => {
        const slice = await this.distinctIds.page(project, ref, query, cursor);
        return cursorPageOf(request, query, cursor, slice, ({ position }) => [position], toDistinctIdDto);
      },
      all: () => this.distinctIds.all(project, ref),
      filename: 'distinct_ids.csv',
      columns: ['distinct_id', 'looks_generated'],
    });
  }
}
