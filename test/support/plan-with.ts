import { type Pool } from 'pg';

interface Explained {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The plan that an EXPLAIN shows, with or without reading of whole tables where an index could be used; on Citus the node's, too. */
export const planWith = async (pool: Pool, readingAll: 'on' | 'off', { text, values }: Explained): Promise<string> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL citus.propagate_set_commands = 'local'`);
    await client.query(`SET LOCAL enable_seqscan = ${readingAll}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>({ text, values: [...values] });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
};
