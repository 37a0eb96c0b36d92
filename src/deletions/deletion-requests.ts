import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { notFound } from '../platform/errors/problem.js';
import { Config } from '../platform/config/config.js';
import { backupsUntil } from './job/backups-until.js';
import { isUuid } from '../platform/values/ids.js';
import { type Slice } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { type DeletionRequestDto, type DeletionRequestsQuery } from './deletion-request.dto.js';
import { DeletionRequest } from '../kernel/deletions/deletion-request.entity.js';

@Injectable()
export class DeletionRequests {
  constructor(
    @InjectRepository(DeletionRequest) private readonly requests: Repository<DeletionRequest>,
    private readonly config: Config,
  ) {}

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
    return { count, results: requests.map((request) => toDto(request, this.config)) };
  }

  async get(project: ProjectContext, id: string): Promise<DeletionRequestDto> {
    const request = isUuid(id) ? await this.requests.findOneBy({ projectId: project.id, id }) : null;
    if (!request) throw notFound(`there is no deletion request ${id}`);
    return toDto(request, this.config);
  }
}

const toDto = (request: DeletionRequest, config: Config): DeletionRequestDto => ({
  id: request.id,
  kind: request.kind,
  criteria: request.criteria,
  person_id: Number(request.personId),
  person_uuid: request.personUuid,
  distinct_id_count: request.distinctIdCount,
  state: request.state,
  created_at: request.createdAt.toISOString(),
  up_to: (request.receivedUpTo ?? request.createdAt).toISOString(),
  request_id: request.requestId,
  scheduled_for: request.scheduledFor.toISOString(),
  started_at: request.startedAt?.toISOString() ?? null,
  events_selected: request.eventsSelected === null ? null : Number(request.eventsSelected),
  events_deleted: Number(request.eventsDeleted),
  events_scrubbed: Number(request.eventsScrubbed),
  events_left: request.eventsLeft === null ? null : Number(request.eventsLeft),
  verified_at: request.verifiedAt?.toISOString() ?? null,
  remaining: request.verifiedAt && request.remaining,
  backups_until: (request.verifiedAt && backupsUntil(request.verifiedAt, config))?.toISOString() ?? null,
  error: request.error,
});
