import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { notFound } from '../platform/errors/problem.js';
import { isUuid } from '../platform/values/ids.js';
import { type Slice } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { type DeletionRequestDto, type DeletionRequestsQuery } from './deletion-request.dto.js';
import { DeletionRequest } from '../kernel/deletions/deletion-request.entity.js';

@Injectable()
export class DeletionRequests {
  constructor(@InjectRepository(DeletionRequest) private readonly requests: Repository<DeletionRequest>) {}

  async list(
    project: ProjectContext,
    { state, limit, offset }: DeletionRequestsQuery,
  ): Promise<Slice<DeletionRequestDto>> {
    const [requests, count] = await this.requests.findAndCount({
      where: { projectId: project.id, ...(state && { state }) },
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: offset,
      take: limit,
    });
    return { count, results: requests.map(toDto) };
  }

  async get(project: ProjectContext, id: string): Promise<DeletionRequestDto> {
    const request = isUuid(id) ? await this.requests.findOneBy({ projectId: project.id, id }) : null;
    if (!request) throw notFound(`there is no deletion request ${id}`);
    return toDto(request);
  }
}

const toDto = (request: DeletionRequest): DeletionRequestDto => ({
  id: request.id,
  person_id: Number(request.personId),
  person_uuid: request.personUuid,
  distinct_id_count: request.distinctIdCount,
  state: request.state,
  created_at: request.createdAt.toISOString(),
  request_id: request.requestId,
  scheduled_for: request.scheduledFor.toISOString(),
  started_at: request.startedAt?.toISOString() ?? null,
  events_deleted: Number(request.eventsDeleted),
  events_left: request.eventsLeft === null ? null : Number(request.eventsLeft),
  verified_at: request.verifiedAt?.toISOString() ?? null,
  error: request.error,
});
