import { describe, expect, it } from '@jest/globals';
import { type Call, requestOf } from './request.js';
import { join, ofShard, sql, text } from './sql.js';

const settings = {} as Call['clickhouse_settings'];
const call: Call = { query_id: 'q', abort_signal: new AbortController().signal, clickhouse_settings: settings };
const bindingRoom = { values: 400, characters: 12_000 };
const server = { bindingRoom, form: { cluster: null, textIndexes: true } };
const cluster = { bindingRoom, form: { cluster: 'two', textIndexes: true } };
const listed = (count: number) =>
  sql`SELECT 'a' IN (${join(
    Array.from({ length: count }, (_, n) => sql`${text(String(n).padStart(1_000, 'x'))}`),
    sql`, `,
  )})`;

describe('a request to a server', () => {
  it('binds values as long as there is room, and writes the others into the statement', () => {
    const { query, query_params: bound } = requestOf(listed(20), call, server);
    expect(Object.keys(bound)).toHaveLength(12);
    expect(query).toContain('{p12:String}');
    expect(query).not.toContain('{p13:String}');
  });

  it('binds none beside a statement that is too long for a field of a form', () => {
    const { query, query_params: bound } = requestOf(listed(200), call, server);
    expect(Object.keys(bound)).toHaveLength(0);
    expect(query.length).toBeGreaterThan(200_000);
  });

  it('names the table of each shard on a cluster, and the table itself without one', () => {
    const statement = sql`SELECT 1 FROM a JOIN ${ofShard("b's")} AS b`;
    expect(requestOf(statement, call, server).query).toBe("SELECT 1 FROM a JOIN `b's` AS b");
    expect(requestOf(statement, call, cluster).query).toBe("SELECT 1 FROM a JOIN `b's_local` AS b");
  });
});
