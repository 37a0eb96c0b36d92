import { type ClientBase } from 'pg';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { bound, pgSql } from '../platform/postgres/sql.js';
import { type SavedTable } from './saved.repository.js';

/** Marks a record for a user, or removes the mark. Marks are about a user and not about the record: they are not logged. */
export const setFavourite = async (
  client: ClientBase,
  { favourites, favourite }: Pick<SavedTable, 'favourites' | 'favourite'>,
  project: ProjectContext,
  { id, userId }: { readonly id: number; readonly userId: number | null },
  isMarked: boolean | null | undefined,
): Promise<void> => {
  if (userId === null || isMarked === null || isMarked === undefined) return;
  await client.query(
    isMarked
      ? pgSql`INSERT INTO ${favourites} (project_id, ${favourite}, user_id)
         VALUES (${bound(project.id)}, ${bound(id)}, ${bound(userId)}) ON CONFLICT DO NOTHING`
      : pgSql`DELETE FROM ${favourites}
         WHERE project_id = ${bound(project.id)} AND ${favourite} = ${bound(id)} AND user_id = ${bound(userId)}`,
  );
};
