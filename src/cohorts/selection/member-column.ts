import { type Sql } from '../../platform/clickhouse/sql.js';
import { type Output } from '../../sql/compiled.js';
import { fault, quoted } from '../../sql/fault.js';
import { type Query } from '../../sql/tree.js';

/** The column of a question that names the members. */
export interface MemberColumn {
  /** The name of the column in the translated question. */
  readonly name: Sql;
  readonly kind: 'person_id' | 'distinct_id';
}

/** True if the question reads only the table `persons`, so that its columns `id` and `uuid` name persons. */
const isOfPersons = ({ body }: Query): boolean =>
  body.kind === 'full query'
    ? isOfPersons(body)
    : body.kind === 'select' &&
      body.joins.length === 0 &&
      body.from?.kind === 'table' &&
      body.from.name.text === 'persons';

export const memberColumnOf = (query: Query, outputs: readonly Output[]): MemberColumn => {
  const always = ['person_id', 'actor_id', 'distinct_id'];
  const names = isOfPersons(query) ? [...always, 'id', 'uuid'] : always;
  for (const name of names) {
    const output = outputs.find((one) => one.name === name);
    if (output) return { name: output.sql, kind: name === 'distinct_id' ? 'distinct_id' : 'person_id' };
  }
  const found = outputs.map(({ name }) => quoted(name)).slice(0, 10);
  throw fault(
    `Persons come from a column person_id, actor_id or distinct_id: name one so, such as "${found[0]} AS person_id"; found ${found.join(', ')}`,
    query.at,
  );
};
