import { DateTime } from 'luxon';
import { evaluate, strict, type Env, type Expr, type Type, type Value } from './expression.js';

const local = (ms: number, { zone }: Env): DateTime => DateTime.fromMillis(ms, { zone });

const ofTime = (type: Type, a: Expr, print: (x: string) => string, value: (at: DateTime) => Value): Expr => ({
  type,
  args: [a],
  print: ([x]) => print(x ?? ''),
  value: ([x], env) => {
    const ms = evaluate(x as Expr, env);
    return ms === null ? null : value(local(ms as number, env));
  },
});

export const toHour = (a: Expr): Expr =>
  ofTime(
    'int',
    a,
    (x) => `toHour(${x})`,
    ({ hour }) => hour,
  );
export const toDayOfWeek = (a: Expr): Expr =>
  ofTime(
    'int',
    a,
    (x) => `toDayOfWeek(${x})`,
    ({ weekday }) => weekday,
  );
export const toMonth = (a: Expr): Expr =>
  ofTime(
    'int',
    a,
    (x) => `toMonth(${x})`,
    ({ month }) => month,
  );
export const toUnix = (a: Expr): Expr =>
  ofTime(
    'int',
    a,
    (x) => `toInt64(toUnixTimestamp(${x}))`,
    (at) => Math.floor(at.toMillis() / 1000),
  );
export const dateText = (a: Expr): Expr =>
  ofTime(
    'text',
    a,
    (x) => `toString(toDate(${x}))`,
    (at) => at.toFormat('yyyy-MM-dd'),
  );
export const timeText = (a: Expr): Expr =>
  ofTime(
    'text',
    a,
    (x) => `formatDateTime(${x}, '%Y-%m-%d %H:%i:%S')`,
    (at) => at.toFormat('yyyy-MM-dd HH:mm:ss'),
  );
export const startOf = (unit: 'day' | 'hour', a: Expr, name: 'dateTrunc' | 'toStartOf'): Expr =>
  ofTime(
    'time',
    a,
    (x) => (name === 'dateTrunc' ? `dateTrunc('${unit}', ${x})` : `toStartOf${unit === 'day' ? 'Day' : 'Hour'}(${x})`),
    (at) => (unit === 'day' ? at.startOf('day').toMillis() : Math.floor(at.toMillis() / 3_600_000) * 3_600_000),
  );
export const later = (a: Expr, n: number, unit: 'hour' | 'minute'): Expr =>
  strict(
    'time',
    [a],
    ([x]) => `(${x} ${n < 0 ? '-' : '+'} interval ${Math.abs(n)} ${unit})`,
    (ms: number) => ms + n * (unit === 'hour' ? 3_600_000 : 60_000),
  );
export const daysBetween = (a: Expr, b: Expr): Expr => ({
  type: 'int',
  args: [a, b],
  print: ([x, y]) => `dateDiff('day', ${x}, ${y})`,
  value: (args, env) => {
    const days = args.map((arg) => {
      const ms = evaluate(arg, env);
      return ms === null ? null : Date.parse(local(ms as number, env).toFormat('yyyy-MM-dd')) / 86_400_000;
    });
    return days.includes(null) ? null : Number(days[1]) - Number(days[0]);
  },
});
export const now = (): Expr => ({ type: 'time', args: [], print: () => 'now()', value: (_, { now: ms }) => ms });
export const localTime = (text: string): Expr => ({
  type: 'time',
  args: [],
  print: () => `toDateTime('${text}')`,
  value: (_, { zone }) => DateTime.fromSQL(text, { zone }).toMillis(),
});
