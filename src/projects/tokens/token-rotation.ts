import { Injectable } from '@nestjs/common';
import { recordActivity } from '../../kernel/activity/record-activity.js';
import { type Author } from '../../kernel/access/author.js';
import { isoOrNull } from '../../platform/http/dates.js';
import { notFound } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { rotationActivity } from '../project-activity.js';
import { graceRange, type ProjectDto, type RotateTokenBody } from '../project.dto.js';
import { newProjectToken } from './project-token.js';
import { ProjectsService } from '../projects.service.js';

/** Gives a project a new token. The previous token still captures events until its grace period is over. */
@Injectable()
export class TokenRotation {
  constructor(
    private readonly postgres: Postgres,
    private readonly projects: ProjectsService,
  ) {}

  async rotate(
    project: ProjectContext,
    { grace_seconds: seconds = graceRange.fallback }: RotateTokenBody,
    author: Author,
  ): Promise<ProjectDto> {
    const end = seconds > 0 ? new Date(this.postgres.clock.now().getTime() + seconds * 1000) : null;
    const until = bound(end);
    const before = await this.projects.get(project);
    const token = newProjectToken();
    return this.postgres.transaction(async (client) => {
      const { rows } = await client.query<{ name: string }>(
        pgSql`
          UPDATE projects SET api_token = ${bound(token)},
            previous_api_token = CASE WHEN ${until}::timestamptz IS NOT NULL THEN api_token END,
            previous_api_token_until = ${until}::timestamptz
          WHERE id = ${bound(project.id)} AND deleted_at IS NULL
          RETURNING name`,
      );
      const [rotated] = rows;
      if (!rotated) throw notFound();
      await recordActivity(client, project, rotationActivity(project, rotated.name, end), author);
      return { ...before, api_token: token, previous_api_token_until: isoOrNull(end) };
    });
  }
}
