import { type ClientBase } from 'pg';
import { userJson } from '../kernel/access/user.sql.js';
import { conflict } from '../platform/errors/problem.js';
import { type Slice } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { lockProject } from '../kernel/projects/projects.repository.js';
import { type Postgres, type Queryable } from '../platform/postgres/postgres.js';
import { bound, joinedSql, pgSql, type PgSql } from '../platform/postgres/sql.js';
import { type SavedDto, type SavedQuery } from './saved.dto.js';

/** The tables and columns of one kind of saved records. */
export interface SavedTable {
  readonly table: PgSql;
  readonly favourites: PgSql;
  /** The column of a favourite that names its record. */
  readonly favourite: PgSql;
  /** The columns that only this kind has, read from the record `r` of a project. */
  readonly columns: (projectId: PgSql) => PgSql;
}

export type SavedRow = Omit<SavedDto, 'created_at' | 'updated_at' | 'deleted'> & {
  readonly created_at: Date;
  readonly updated_at: Date;
};

/**
 * Joins the mark of the user. A key of an operator has no user, so a row without a user is joined: Citus accepts no join that
 * finds nothing.
 */
const favouritesOf = ({ favourites, favourite }: SavedTable, userId: number | null): PgSql =>
  userId === null
    ? pgSql`CROSS JOIN (SELECT NULL::integer AS user_id) AS f`
    : pgSql`LEFT JOIN ${favourites} AS f
    ON f.project_id = r.project_id AND f.${favourite} = r.id AND f.user_id = ${bound(userId)}`;

const select = (saved: SavedTable, project: ProjectContext, userId: number | null): PgSql => pgSql`
  SELECT r.id, r.name, r.description, r.tags, r.created_at, r.updated_at, ${userJson} AS created_by, f.user_id IS NOT NULL AS favourite,
    ${saved.columns(pgSql`${bound(project.id)}`)}
  FROM ${saved.table} AS r LEFT JOIN users AS u ON u.id = r.created_by ${favouritesOf(saved, userId)}`;

/** Reads records by their ids; those that the project does not have are missing. */
export const findRows = async <Row extends SavedRow>(
  reader: Queryable,
  saved: SavedTable,
  project: ProjectContext,
  { ids, userId }: { readonly ids: readonly number[]; readonly userId: number | null },
): Promise<readonly Row[]> => {
  const { rows } = await reader.query<Row>(
    pgSql`${select(saved, project, userId)} WHERE r.project_id = ${bound(project.id)} AND r.id = ANY (${bound(ids)}::integer[])`,
  );
  return rows;
};

/** Lists records, newest first. */
export const listRows = async <Row extends SavedRow>(
  reader: Queryable,
  saved: SavedTable,
  project: ProjectContext,
  userId: number | null,
  { limit, offset, search, favourite }: SavedQuery,
  more: readonly PgSql[] = [],
): Promise<Slice<Row>> => {
  const term = search?.trim() ?? '';
  const where = joinedSql(
    [
      pgSql`r.project_id = ${bound(project.id)}`,
      ...(term === '' ? [] : [pgSql`strpos(lower(r.name), lower(${bound(term)})) > 0`]),
      ...(favourite === undefined ? [] : [pgSql`(f.user_id IS NOT NULL) = ${bound(favourite)}`]),
      ...more,
    ],
    pgSql` AND `,
  );
  const matching = pgSql`${select(saved, project, userId)} WHERE ${where}`;
  const [page, counted] = await Promise.all([
    reader.query<Row>(
      pgSql`${matching} ORDER BY r.created_at DESC, r.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
    ),
    reader.query<{ count: string }>(pgSql`SELECT count(*) FROM (${matching}) AS matching`),
  ]);
  return { count: Number(counted.rows[0]?.count ?? 0), results: page.rows };
};

/**
 * Lets the writers of insights and dashboards of a project wait for each other, so that caps hold and a tile never names a
 * deleted insight.
 */
export const oneWriterAtATime = <T>(
  postgres: Postgres,
  { id }: ProjectContext,
  work: (client: ClientBase) => Promise<T>,
): Promise<T> =>
  postgres.transaction(
    async (client) => {
      await lockProject(client, id);
      return work(client);
    },
    { repeat: true },
  );

export const assertRoom = async (
  client: ClientBase,
  { id }: ProjectContext,
  { table }: Pick<SavedTable, 'table'>,
  { most, kind }: { readonly most: number; readonly kind: string },
): Promise<void> => {
  const { rows } = await client.query<{ count: string }>(
    pgSql`SELECT count(*) FROM ${table} WHERE project_id = ${bound(id)}`,
  );
  if (Number(rows[0]?.count) < most) return;
  throw conflict(`A project can have at most ${most} ${kind}: delete ${kind} that are no longer used`);
};

export const toSavedDto = ({
  id,
  name,
  description,
  favourite,
  tags,
  created_by,
  created_at,
  updated_at,
}: SavedRow): SavedDto => ({
  id,
  name,
  description,
  favourite,
  tags,
  created_by,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
  deleted: false,
});
