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

/** The same names, each table behind those that its foreign keys name. */
export const inOrderOfReferences = async (postgres: Queryable, names: readonly string[]): Promise<string[]> => {
  const { rows } = await postgres.query<{ name: string; referenced: string }>(pgSql`
    SELECT DISTINCT t.relname::text AS name, r.relname::text AS referenced
    FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid JOIN pg_class AS r ON r.oid = c.confrelid
    WHERE c.contype = 'f' AND t.oid <> r.oid AND t.relnamespace = current_schema()::regnamespace`);
  const ordered: string[] = [];
  const left = new Set(names);
  while (left.size > 0) {
    const free = [...left].filter((name) => !rows.some((key) => key.name === name && left.has(key.referenced)));
    if (free.length === 0) throw new Error(`Tables reference each other in a circle: ${[...left].join(', ')}`);
    for (const name of free) left.delete(name);
    ordered.push(...free);
  }
  return ordered;
};
