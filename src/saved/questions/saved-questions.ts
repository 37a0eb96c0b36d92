import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type SavedQuestion } from './question.js';

/** Reads the questions of insights; ids without an insight are left out. */
export const savedQuestions = async (
  reader: Queryable,
  project: ProjectContext,
  ids: readonly number[],
): Promise<ReadonlyMap<number, SavedQuestion>> => {
  const { rows } = await reader.query<SavedQuestion & { id: number }>(
    pgSql`SELECT id, type, params FROM insights WHERE project_id = ${bound(project.id)} AND id = ANY (${bound(ids)}::integer[])`,
  );
  return new Map(rows.map(({ id, type, params }) => [id, { type, params }]));
};
