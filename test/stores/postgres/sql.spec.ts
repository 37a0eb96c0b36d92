import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { freshStores } from '../../support/fresh-stores.js';
import { PgConnection } from '../../../src/platform/postgres/connection.js';
import { Postgres } from '../../../src/platform/postgres/postgres.js';
import { bound, joinedSql, pgSql } from '../../../src/platform/postgres/sql.js';

describe('the sql tag of PostgreSQL', () => {
  it('binds values and numbers them in order of appearance', () => {
    const { text, values, name } = pgSql`SELECT ${bound("o'clock")}, ${bound([1, 2])}::integer[], ${bound(null)}`;
    expect([text, values, name]).toEqual(['SELECT $1, $2::integer[], $3', ["o'clock", [1, 2], null], undefined]);
  });

  it('numbers values across fragments, and binds the same value once', () => {
    const project = bound(7);
    const where = pgSql`project_id = ${project} AND name = ${bound('a')}`;
    const statement = pgSql`SELECT ${bound('x')} WHERE ${where} OR ${where}`;
    expect(statement.text).toBe('SELECT $1 WHERE project_id = $2 AND name = $3 OR project_id = $2 AND name = $3');
    expect(statement.values).toEqual(['x', 7, 'a']);
  });

  it('joins fragments and values, and nothing into nothing', () => {
    expect(joinedSql([pgSql`a`, bound(1)], pgSql` AND `).text).toBe('a AND $1');
    expect(joinedSql([]).text).toBe('');
  });

  it('gives a statement the name under which it is prepared', () => {
    const { name, text, values } = pgSql`SELECT ${bound(1)}`.named('one');
    expect({ name, text, values }).toEqual({ name: 'one', text: 'SELECT $1', values: [1] });
  });

  it('does not compile with anything but fragments and bound values', () => {
    const outside = 'x; DROP TABLE events';
    // @ts-expect-error a bare string is no slot
    void pgSql`SELECT ${outside}`;
    // @ts-expect-error nor is a number
    void pgSql`SELECT ${1}`;
    // @ts-expect-error nor something shaped like a statement
    void pgSql`SELECT ${{ text: outside, values: [] }}`;
    // @ts-expect-error nor something shaped like a bound value
    void pgSql`SELECT ${{ value: outside }}`;
    // @ts-expect-error nor can a statement be made from an array of strings
    expect(() => pgSql([outside])).not.toThrow();
  });
});

describe('Postgres', () => {
  let stores: Awaited<ReturnType<typeof freshStores>>;
  let pool: Pool;
  let postgres: Postgres;

  beforeAll(async () => {
    stores = await freshStores();
    const options = { connectionString: stores.databaseUrl.href, max: 2, pipeline: true, Client: PgConnection };
    pool = new Pool(options);
    postgres = new Postgres(pool);
    await pool.query('CREATE TABLE notes (number int PRIMARY KEY)');
  });
  afterAll(async () => {
    await pool.end();
    await stores.remove();
  });

  it('runs tagged statements, alone and in a transaction, by name and without', async () => {
    const doubled = (number: number) => pgSql`SELECT ${bound(number)}::integer * 2 AS doubled`;
    const alone = await postgres.query<{ doubled: number }>(doubled(2));
    const within = await postgres.transaction((client) => client.query<{ doubled: number }>(doubled(3).named('twice')));
    expect([alone.rows, within.rows]).toEqual([[{ doubled: 4 }], [{ doubled: 6 }]]);
  });

  it('leaves the same statement to a pool with the connections of the driver', async () => {
    const plain = new Pool({ connectionString: stores.databaseUrl.href, max: 1 });
    const { rows } = await plain.query<{ sum: number }>(
      pgSql`SELECT ${bound(2)}::integer + ${bound(3)}::integer AS sum`,
    );
    await plain.end();
    expect(rows).toEqual([{ sum: 5 }]);
  });

  it('repeats a transaction only when the caller requests it', async () => {
    let attempts = 0;
    const loses = () => {
      attempts += 1;
      throw Object.assign(new Error('lost against another one'), { code: '40001' });
    };
    await expect(postgres.transaction(() => loses())).rejects.toMatchObject({ code: '40001' });
    expect(attempts).toBe(1);
    const result = postgres.transaction(() => Promise.resolve(attempts < 3 ? loses() : 'done'), { repeat: true });
    await expect(result).resolves.toBe('done');
    expect(attempts).toBe(3);
  });

  it('reads one snapshot, in which nothing can be written', async () => {
    const count = pgSql`SELECT count(*)::integer AS notes FROM notes`;
    const counts = await postgres.transaction(
      async (client) => {
        const before = await client.query<{ notes: number }>(count);
        await postgres.query(pgSql`INSERT INTO notes VALUES (${bound(1)})`);
        const after = await client.query<{ notes: number }>(count);
        return [before.rows[0]?.notes, after.rows[0]?.notes];
      },
      { snapshot: true },
    );
    expect(counts).toEqual([0, 0]);
    const writes = postgres.transaction((client) => client.query(pgSql`DELETE FROM notes`), { snapshot: true });
    await expect(writes).rejects.toMatchObject({ code: '25006' });
  });
});
