import { type Sql, integer, sql, unsigned } from '../../platform/clickhouse/sql.js';

/** A group in a question. */
export interface GroupInQuestion {
  readonly typeIndex: number;
  readonly actor: string;
}

/** True for an event `e` that belongs to the group. */
export const isOfGroup = ({ typeIndex, actor }: GroupInQuestion): Sql =>
  sql`e.groups[toUInt8(${unsigned(typeIndex)})] = ${integer(BigInt(actor))}`;
