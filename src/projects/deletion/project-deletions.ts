import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Repository } from 'typeorm';
import { type Author } from '../../kernel/access/author.js';
import { type Caller } from '../../kernel/access/caller.js';
import { notFound, permissionDenied } from '../../platform/errors/problem.js';
import { isUuid } from '../../platform/values/ids.js';
import { type PageQuery } from '../../platform/http/page-query.dto.js';
import { type Slice } from '../../platform/http/page.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { tokenMaxAgeMs } from '../../kernel/projects/project-tokens.js';
import { type ProjectDeletionDto, toProjectDeletionDto } from './project-deletion.dto.js';
import { ProjectDeletion } from '../../kernel/projects/project-deletion.entity.js';
import { requestProjectDeletion } from './request-project-deletion.js';

@Injectable()
export class ProjectDeletions {
  constructor(
    private readonly postgres: Postgres,
    @InjectRepository(ProjectDeletion) private readonly deletions: Repository<ProjectDeletion>,
  ) {}

  /** Answers when no process remembers the token of the project any more. */
  async request(
    caller: Caller,
    project: ProjectContext,
    confirmName: string,
    author: Author,
  ): Promise<ProjectDeletionDto> {
    assertAllProjects(caller);
    const id = await requestProjectDeletion(this.postgres, project.id, confirmName, author);
    await sleep(tokenMaxAgeMs);
    return this.find(id);
  }

  /** For an operator, whom the process that works in the background does not keep waiting. */
  async requestByOperator(projectId: number, confirmName: string): Promise<ProjectDeletionDto> {
    const author = { userId: null, requestId: null, now: this.postgres.clock.now() };
    return this.find(await requestProjectDeletion(this.postgres, projectId, confirmName, author));
  }

  async all(): Promise<ProjectDeletionDto[]> {
    return (await this.deletions.find({ order: { requestedAt: 'DESC', id: 'DESC' } })).map(toProjectDeletionDto);
  }

  async list(caller: Caller, { limit, offset }: PageQuery): Promise<Slice<ProjectDeletionDto>> {
    assertAllProjects(caller);
    const [deletions, count] = await this.deletions.findAndCount({
      order: { requestedAt: 'DESC', id: 'DESC' },
      take: limit,
      skip: offset,
    });
    return { count, results: deletions.map(toProjectDeletionDto) };
  }

  async get(caller: Caller, id: string): Promise<ProjectDeletionDto> {
    assertAllProjects(caller);
    return this.find(id);
  }

  private async find(id: string): Promise<ProjectDeletionDto> {
    const deletion = isUuid(id) ? await this.deletions.findOneBy({ id }) : null;
    if (!deletion) throw notFound(`there is no project deletion ${id}`);
    return toProjectDeletionDto(deletion);
  }
}

const assertAllProjects = ({ projectIds }: Caller): void => {
  if (projectIds === null) return;
  throw permissionDenied(
    'This key is limited to certain projects; only a key for all projects deletes projects and reads the receipts',
  );
};
