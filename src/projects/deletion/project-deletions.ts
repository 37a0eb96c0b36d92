import { uuidv7 } from 'uuidv7';
import { type ActivityAuthor, recordActivity } from '../../kernel/activity/record-activity.js';
import { invalidInput, notFound, permissionDenied } from '../../platform/errors/problem.js';
import { upsertGate } from '../../kernel/projects/projects.repository.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Repository } from 'typeorm';
import { type Author } from '../../kernel/access/author.js';
import { type Caller } from '../../kernel/access/caller.js';
import { isUuid } from '../../platform/values/ids.js';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { tokenMaxAgeMs } from '../../kernel/projects/project-tokens.js';
import { type ProjectDeletionDto, toProjectDeletionDto } from './project-deletion.dto.js';
import { ProjectDeletion } from '../../kernel/projects/project-deletion.entity.js';

/**
 * Marks the project as deleted and records the request; a worker does the rest. The activity entry is in the log of the user's
 * account, because the log of the project is removed. Returns the id of the deletion.
 */
export const requestProjectDeletion = (
  postgres: Postgres,
  projectId: number,
  confirmName: string,
  author: ActivityAuthor,
): Promise<string> =>
  postgres.transaction(async (client) => {
    const { rows } = await client.query<{ uuid: string; name: string }>(
      pgSql`SELECT uuid, name FROM projects WHERE id = ${bound(projectId)} AND deleted_at IS NULL FOR NO KEY UPDATE`,
    );
    const [project] = rows;
    if (!project) throw notFound();
    if (project.name !== confirmName)
      throw invalidInput(
        'confirm_name is not the name of this project: send the name exactly as GET shows it, to confirm that everything of ' +
          'this project is to be removed',
        'confirm_name',
      );
    const id = uuidv7();
    await client.query(pgSql`UPDATE projects SET deleted_at = ${bound(author.now)} WHERE id = ${bound(projectId)}`);
    await upsertGate(client, projectId);
    await client.query(
      pgSql`INSERT INTO project_deletions (id, deleted_project_id, project_uuid, project_name, requested_by, request_id,
         requested_at, state)
       VALUES (${bound(id)}, ${bound(projectId)}, ${bound(project.uuid)}, ${bound(project.name)}, ${bound(author.userId)},
         ${bound(author.requestId)}, ${bound(author.now)}, 'pending')`,
    );
    if (author.userId !== null) {
      const deleted = { type: 'Project', action: 'deleted', field: null, before: null, after: null } as const;
      const activity = {
        scope: 'Project',
        itemId: String(projectId),
        activity: 'deleted',
        name: project.name,
      } as const;
      await recordActivity(client, { accountOf: author.userId }, { ...activity, changes: [deleted] }, author);
    }
    return id;
  });

@Injectable()
export class ProjectDeletions {
  constructor(
    private readonly postgres: Postgres,
    @InjectRepository(ProjectDeletion) private readonly deletions: Repository<ProjectDeletion>,
  ) {}

  /** Requests the deletion, and answers when no process accepts the token of the project any more. */
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

  /** Requests the deletion for an operator, without waiting for the processes that still accept the token. */
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
