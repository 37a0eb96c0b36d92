import { Injectable } from '@nestjs/common';
import { type Slice } from '../../platform/http/page.dto.js';
import { type ActivityEntryDto, type ActivityUserDto } from '../activity.dto.js';
import { type ActivityOwner, type ActivityScope } from '../../kernel/activity/record-activity.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type ActivityLogRow } from './activity-log.entity.js';
import { bound, joinedSql, pgSql, type PgSql } from '../../platform/postgres/sql.js';

/** Selects the entries about one item; without `itemId`, about all items of a scope; without `scope`, all entries. */
export interface ActivitySubject {
  readonly scope?: ActivityScope;
  readonly itemId?: string;
}

type Row = Stored<Omit<ActivityLogRow, 'projectId' | 'detail'>> & {
  readonly detail: ActivityEntryDto['detail'];
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string | null;
};

interface Selection {
  readonly table: PgSql;
  readonly where: PgSql;
}

const firstId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const entriesPerRead = 500;

const select = ({ table, where }: Selection, window: PgSql): PgSql => pgSql`
  SELECT a.id, a.scope, a.item_id, a.activity, a.user_id, u.first_name, u.last_name, u.email, a.request_id, a.detail,
    a.created_at
  FROM ${table} AS a LEFT JOIN users AS u ON u.id = a.user_id
  WHERE ${where}
  ${window}`;

/** Reads the log, newest first. */
@Injectable()
export class ActivityRepository {
  constructor(private readonly postgres: Postgres) {}

  async page(
    owner: ActivityOwner,
    subject: ActivitySubject,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<Slice<ActivityEntryDto>> {
    const window = pgSql`ORDER BY a.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`;
    const [page, count] = await Promise.all([
      this.postgres.query<Row>(select(selectionOf(owner, subject), window)),
      this.count(owner, subject),
    ]);
    return { count, results: page.rows.map(toEntryDto) };
  }

  /** Yields all entries after the first `offset`, in constant memory. */
  async *walk(owner: ActivityOwner, subject: ActivitySubject, offset: number): AsyncGenerator<ActivityEntryDto> {
    const selection = selectionOf(owner, subject);
    for (let [last, skipped]: [string | undefined, number] = [firstId, offset]; last !== undefined; skipped = 0) {
      const window: PgSql = pgSql`
        AND a.id < ${bound(last)} ORDER BY a.id DESC LIMIT ${bound(entriesPerRead)} OFFSET ${bound(skipped)}`;
      const { rows }: { rows: Row[] } = await this.postgres.query<Row>(select(selection, window));
      yield* rows.map(toEntryDto);
      last = rows.length < entriesPerRead ? undefined : rows.at(-1)?.id;
    }
  }

  async count(owner: ActivityOwner, subject: ActivitySubject): Promise<number> {
    const { table, where } = selectionOf(owner, subject);
    const { rows } = await this.postgres.query<{ count: string }>(
      pgSql`SELECT count(*) FROM ${table} AS a WHERE ${where}`,
    );
    return Number(rows[0]?.count ?? 0);
  }
}

// Each combination of conditions is a statement of its own, so that its prepared plan uses the right index.
const selectionOf = (owner: ActivityOwner, { scope, itemId }: ActivitySubject): Selection => {
  const conditions = [
    'id' in owner ? pgSql`a.project_id = ${bound(owner.id)}` : pgSql`a.account_id = ${bound(owner.accountOf)}`,
    ...(scope === undefined ? [] : [pgSql`a.scope = ${bound(scope)}`]),
    ...(itemId === undefined ? [] : [pgSql`a.item_id = ${bound(itemId)}`]),
  ];
  return {
    table: 'id' in owner ? pgSql`activity_log` : pgSql`account_activity`,
    where: joinedSql(conditions, pgSql` AND `),
  };
};

const toEntryDto = (row: Row): ActivityEntryDto => ({
  id: row.id,
  user: userOf(row),
  activity: row.activity,
  scope: row.scope,
  item_id: row.item_id,
  created_at: row.created_at.toISOString(),
  request_id: row.request_id,
  detail: row.detail,
});

const userOf = ({ user_id, first_name, last_name, email }: Row): ActivityUserDto =>
  user_id === null
    ? { id: null, first_name: 'System', last_name: '', email: null, is_system: true }
    : { id: user_id, first_name: first_name ?? '', last_name: last_name ?? '', email };
