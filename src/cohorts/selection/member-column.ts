import { type Sql } from '../../platform/clickhouse/sql.js';
import { type Output } from '../../sql/compiled.js';
import { fault, quoted } from '../../sql/fault.js';
import { type Query } from '../../sql/tree.js';

/** The column of a question that names the members. */
export interface MemberColumn {
  /** The name of the column in the translated question. */
  readonly name: Sql;
  readonly kind: 'person_id' | 'distinct_id' | 'group_id' | 'group_key';
}

/** True if the question reads only this table, so that its columns `id` and `uuid`, or `id` and `key`, name members. */
const isOf = (table: 'persons' | 'groups', { body }: Query): boolean =>
  body.kind === 'full query'
    ? isOf(table, body)
    : body.kind === 'select' && body.joins.length === 0 && body.from?.kind === 'table' && body.from.name.text === table;

type Kinds = Readonly<Record<string, MemberColumn['kind']>>;

const kindsOf = (query: Query, groupType: number | null): Kinds =>
  groupType === null
    ? {
        ...{ person_id: 'person_id', actor_id: 'person_id', distinct_id: 'distinct_id' },
        ...(isOf('persons', query) && { id: 'person_id', uuid: 'person_id' }),
      }
    : {
        ...{ group_id: 'group_id', group_key: 'group_key', [`$group_${groupType}`]: 'group_key' },
        ...(isOf('groups', query) && { id: 'group_id', key: 'group_key' }),
      };

/** `groupType` is the index of the type of the groups that are selected; null for persons. */
export const memberColumnOf = (query: Query, outputs: readonly Output[], groupType: number | null): MemberColumn => {
  for (const [name, kind] of Object.entries(kindsOf(query, groupType))) {
    const output = outputs.find((one) => one.name === name);
    if (output) return { name: output.sql, kind };
  }
  const found = outputs.map(({ name }) => quoted(name)).slice(0, 10);
  const [what, columns, name] =
    groupType === null
      ? ['Persons', 'person_id, actor_id or distinct_id', 'person_id']
      : ['Groups', `group_id, group_key or $group_${groupType}`, 'group_key'];
  throw fault(
    `${what} come from a column ${columns}: name one so, such as "${found[0]} AS ${name}"; found ${found.join(', ')}`,
    query.at,
  );
};
