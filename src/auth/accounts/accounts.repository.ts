import { type Slice } from '../../platform/http/page.dto.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type AccountDto } from './account.dto.js';

type Row = Omit<AccountDto, 'created_at'> & { readonly created_at: Date };

const select = pgSql`
  SELECT u.id, u.uuid, u.first_name, u.last_name, u.email, u.is_owner, u.password_hash IS NOT NULL AS has_password,
    (SELECT count(*)::integer FROM project_members m WHERE m.user_id = u.id) AS project_count, u.created_at
  FROM users u`;

const toAccountDto = (row: Row): AccountDto => ({ ...row, created_at: row.created_at.toISOString() });

/** Returns all users of the installation, newest first. */
export const accountsOf = async (
  postgres: Queryable,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Slice<AccountDto>> => {
  const [{ rows }, { rows: counted }] = await Promise.all([
    postgres.query<Row>(
      pgSql`${select} ORDER BY u.created_at DESC, u.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
    ),
    postgres.query<{ count: string }>(pgSql`SELECT count(*) FROM users`),
  ]);
  return { count: Number(counted[0]?.count), results: rows.map(toAccountDto) };
};

/** Returns all users, oldest first, for the command line. */
export const everyAccount = async (postgres: Queryable): Promise<AccountDto[]> =>
  (await postgres.query<Row>(pgSql`${select} ORDER BY u.created_at, u.id`)).rows.map(toAccountDto);

export const accountById = async (client: Queryable, id: number): Promise<AccountDto | null> => {
  const { rows } = await client.query<Row>(pgSql`${select} WHERE u.id = ${bound(id)}`);
  return rows[0] ? toAccountDto(rows[0]) : null;
};
