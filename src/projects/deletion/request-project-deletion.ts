import { uuidv7 } from 'uuidv7';
import { type ActivityAuthor, recordActivity } from '../../activity/log/record-activity.js';
import { invalidInput, notFound } from '../../platform/errors/problem.js';
import { upsertGate } from '../../kernel/projects/existing-project.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

/**
 * Marks the project as deleted and records the request, from which a worker goes on. The entry is in the log of the user's
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
