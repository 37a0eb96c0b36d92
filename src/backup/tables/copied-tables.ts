import { type DataSource } from 'typeorm';
import { type CopiedTable } from '../../stores/postgres/copy-table.js';
import { type Queryable } from '../../stores/postgres/postgres.js';
import { bound, pgSql } from '../../stores/postgres/sql.js';
import { leftOut } from './left-out.js';

/** The tables of all entities except those that are left out, in the order of their names. */
export const copiedTableNames = ({ entityMetadatas }: Pick<DataSource, 'entityMetadatas'>): string[] =>
  entityMetadatas
    .map(({ tableName }) => tableName)
    .filter((name) => !Object.hasOwn(leftOut, name))
    .sort();

/** The tables with those of their columns that can be written. */
export const withColumns = async (postgres: Queryable, names: readonly string[]): Promise<CopiedTable[]> => {
  const { rows } = await postgres.query<{ name: string; columns: string[] }>(pgSql`
    SELECT table_name AS name, array_agg(column_name::text ORDER BY ordinal_position) AS columns
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ANY (${bound(names)}::text[]) AND is_generated = 'NEVER'
    GROUP BY table_name ORDER BY table_name`);
  return rows;
};
