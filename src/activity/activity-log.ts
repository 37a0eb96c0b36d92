import { Injectable } from '@nestjs/common';
import { type Slice } from '../common/pagination/page.js';
import { type ActivityEntryDto, type ActivityUserDto } from './activity.dto.js';
import { type ActivityOwner, type ActivityScope } from './record-activity.js';
import { Postgres } from '../stores/postgres/postgres.js';
import { type Stored } from '../stores/postgres/stored.js';
import { type ActivityLogRow } from './activity-log.entity.js';

/** Entries about one thing; without `itemId` about all things of a kind; without `scope` about all there is. */
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

interface Condition {
  readonly table: string;
  readonly text: string;
}

const firstId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const entriesPerRead = 500;

const select = (condition: Condition, window: string): string => `
  SELECT a.id, a.scope, a.item_id, a.activity, a.user_id, u.first_name, u.last_name, u.email, a.request_id, a.detail,
    a.created_at
  FROM ${condition.table} AS a LEFT JOIN users AS u ON u.id = a.user_id
  WHERE ${condition.text}
  ${window}`;

/** Reads the log, newest first. */
@Injectable()
export class ActivityLog {
  constructor(private readonly postgres: Postgres) {}

  async page(
    owner: ActivityOwner,
    subject: ActivitySubject,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<Slice<ActivityEntryDto>> {
    const { values, ...condition } = whereOf(owner, subject);
    const [limitAt, offsetAt] = [values.length + 1, values.length + 2];
    const window = `ORDER BY a.id DESC LIMIT $${limitAt} OFFSET $${offsetAt}`;
    const [page, count] = await Promise.all([
      this.postgres.query<Row>(select(condition, window), [...values, limit, offset]),
      this.count(owner, subject),
    ]);
    return { count, results: page.rows.map(toEntryDto) };
  }

  /** All of them from a place on, at constant memory. */
  async *walk(owner: ActivityOwner, subject: ActivitySubject, offset: number): AsyncGenerator<ActivityEntryDto> {
    const { values, ...condition } = whereOf(owner, subject);
    const [idAt, limitAt, offsetAt] = [values.length + 1, values.length + 2, values.length + 3];
    const window = `AND a.id < $${idAt} ORDER BY a.id DESC LIMIT $${limitAt} OFFSET $${offsetAt}`;
    for (let [last, skipped]: [string | undefined, number] = [firstId, offset]; last !== undefined; skipped = 0) {
      const { rows }: { rows: Row[] } = await this.postgres.query<Row>(select(condition, window), [
        ...values,
        last,
        entriesPerRead,
        skipped,
      ]);
      yield* rows.map(toEntryDto);
      last = rows.length < entriesPerRead ? undefined : rows.at(-1)?.id;
    }
  }

  async count(owner: ActivityOwner, subject: ActivitySubject): Promise<number> {
    const { values, ...condition } = whereOf(owner, subject);
    const { rows } = await this.postgres.query<{ count: string }>(
      `SELECT count(*) FROM ${condition.table} AS a WHERE ${condition.text}`,
      values,
    );
    return Number(rows[0]?.count ?? 0);
  }
}

// A statement for each combination, so that a prepared plan knows which index it is to walk.
const whereOf = (owner: ActivityOwner, { scope, itemId }: ActivitySubject): Condition & { values: unknown[] } => {
  const [table, column, id] =
    'id' in owner ? ['activity_log', 'project_id', owner.id] : ['account_activity', 'account_id', owner.accountOf];
  const conditions = Object.entries({ [column]: id, scope, item_id: itemId }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    table,
    text: conditions.map(([name], at) => `a.${name} = $${at + 1}`).join(' AND '),
    values: conditions.map(([, value]) => value),
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
