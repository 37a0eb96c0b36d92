import { describe, expect, it } from '@jest/globals';
import {
  boolean,
  compile,
  day,
  empty,
  identifier,
  instant,
  integer,
  join,
  list,
  real,
  sql,
  text,
  unsigned,
  uuid,
} from './sql.js';

describe('the sql tag', () => {
  it('binds values by their type and numbers them in order of appearance', () => {
    const statement = sql`SELECT ${text("o'clock")}, ${integer(-1)}, ${list(text, ['a'])}`;
    expect(compile(statement)).toEqual({
      query: 'SELECT {p1:String}, {p2:Int64}, {p3:Array(String)}',
      query_params: { p1: "o'clock", p2: -1, p3: ['a'] },
    });
  });

  it('numbers values across fragments, and binds the same value once', () => {
    const project = integer(7);
    const where = sql`project_id = ${project}`;
    const { query, query_params } = compile(sql`SELECT ${text('x')} WHERE ${where} AND ${where}`);
    expect(query).toBe('SELECT {p1:String} WHERE project_id = {p2:Int64} AND project_id = {p2:Int64}');
    expect(query_params).toEqual({ p1: 'x', p2: 7 });
  });

  it('joins fragments and values, and nothing into nothing', () => {
    expect(compile(join([sql`a`, integer(1)], sql` AND `)).query).toBe('a AND {p1:Int64}');
    expect(compile(join([])).query).toBe('');
    expect(compile(sql`a${empty}b`).query).toBe('ab');
  });

  it('keeps a name inside its quotes', () => {
    expect(compile(identifier('a.b`c\\')).query).toBe('`a.b\\`c\\\\`');
    expect(() => identifier('')).toThrow(RangeError);
  });

  it('does not compile with anything but fragments and typed values', () => {
    const outside = 'x; DROP TABLE events';
    // @ts-expect-error a bare string is no slot
    void sql`SELECT ${outside}`;
    // @ts-expect-error nor is a number
    void sql`SELECT ${1}`;
    // @ts-expect-error nor something shaped like a fragment
    void sql`SELECT ${{ pieces: [outside] }}`;
    // @ts-expect-error nor something shaped like a value
    void sql`SELECT ${{ type: 'String', bound: outside }}`;
    // @ts-expect-error nor can a statement be made from an array of strings
    expect(() => sql([outside])).not.toThrow();
  });
});

describe('a statement with bounded room for bound values', () => {
  const room = { values: 2, characters: 10 };

  it('binds what fits, and writes the rest into its text, each as a single literal', () => {
    const [short, long] = [text('a'), list(uuid, ['6f9619ff-8b86-d011-b42d-00cf4fc964ff'])];
    const { query, query_params } = compile(
      sql`SELECT ${long}, ${short}, ${short}, ${integer(-5)}, ${integer(6)}`,
      room,
    );
    expect(query).toBe(
      "SELECT _CAST('[\\'6f9619ff-8b86-d011-b42d-00cf4fc964ff\\']', 'Array(UUID)'), {p1:String}, {p1:String}, {p2:Int64}, _CAST('6', 'Int64')",
    );
    expect(query_params).toEqual({ p1: 'a', p2: -5 });
  });

  it('cannot be left by a text', () => {
    const { query } = compile(sql`SELECT ${text("'); DROP TABLE events -- \\\0{p1:String}")}`, {
      values: 0,
      characters: 0,
    });
    expect(query).toBe("SELECT '\\'); DROP TABLE events -- \\\\\\0{p1:String}'");
  });
});

describe('values', () => {
  it('refuse what their type cannot hold', () => {
    expect(() => integer(2 ** 53)).toThrow(/pass a bigint/);
    expect(() => integer(1.5)).toThrow(RangeError);
    expect(() => integer(2n ** 63n)).toThrow(/does not fit Int64/);
    expect(() => unsigned(-1)).toThrow(/does not fit UInt64/);
    expect(() => real(NaN)).toThrow(RangeError);
    expect(() => uuid("' OR 1")).toThrow(RangeError);
    expect(() => day('2024-1-1')).toThrow(RangeError);
    expect(() => instant(new Date(NaN))).toThrow(RangeError);
    expect(() => list(boolean, [true])).not.toThrow();
  });
});

/** The CPU time of some work, as the best of a few runs: other work of the machine can only add to it. */
const cpuOf = (work: () => unknown): number =>
  Math.min(
    ...Array.from({ length: 5 }, () => {
      const before = process.cpuUsage();
      work();
      return process.cpuUsage(before).user / 1000;
    }),
  );

describe('the cost of a statement', () => {
  const long = (size: number) => compile(join(Array.from({ length: size }, (_, at) => integer(at % 100)))).query;
  const nested = (depth: number) => {
    const row = join(Array.from({ length: 40 }, () => sql`a`));
    let rows = sql`SELECT ${row} FROM t`;
    for (let level = 0; level < depth; level += 1) rows = sql`SELECT ${row} FROM (${rows})`;
    return compile(rows).query;
  };

  it.each([
    ['length', long, 15_000],
    ['depth', nested, 500],
  ])('grows with its %s, and not with the square of it', (_, build, size) => {
    expect(build(4 * size).length).toBeLessThan(5 * build(size).length);
    // Linear work is four times as much; quadratic work would be sixteen times as much. Some kernels count processor time
    // in ticks of 10 ms. Whatever disturbs the machine can only make a round fail.
    const isLinear = () => cpuOf(() => build(4 * size)) < 8 * cpuOf(() => build(size)) + 40;
    expect([1, 2, 3, 4].some(isLinear)).toBe(true);
  });

  it('ends where the engine would refuse the statement anyway', () => {
    expect(() => long(200_000)).toThrow(/too complex/);
  });
});
