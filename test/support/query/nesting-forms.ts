const repeated = (count: number, wrap: (inner: string, n: number) => string, core: string): string => {
  let text = core;
  for (let n = 0; n < count; n += 1) text = wrap(text, n);
  return text;
};

const list = (count: number, item: (n: number) => string, separator = ', '): string =>
  Array.from({ length: count }, (_, n) => item(n)).join(separator);

const value = (expression: string): string => `select ${expression} as v from events`;

const nested =
  (wrap: (inner: string, n: number) => string, core = 'event') =>
  (count: number) =>
    value(repeated(count, wrap, core));

/** `step` makes each alias of the one before. */
const aliases = (step: (before: string) => string, core: string) => (count: number) =>
  `select ${core} as a0, ${list(count, (n) => `${step(`a${n}`)} as a${n + 1}`)} from events`;

const ctes = (step: (before: string) => string) => (count: number) =>
  `with c0 as (select event as x from events), ${list(count, (n) => `c${n + 1} as (${step(`c${n}`)})`)} select count() from c${count}`;

/** Every syntactic form that can be nested or repeated, `count` times. */
export const nestingForms: Readonly<Record<string, (count: number) => string>> = {
  brackets: nested((inner) => `(${inner})`),
  functions: nested((inner) => `lower(${inner})`),
  'functions with two arguments': nested((inner) => `concat(${inner}, event)`),
  'functions that name an argument twice': nested((inner) => `ifNull(nullIf(${inner}, 'a'), event)`),
  'CASE inside of CASE': nested((inner) => `case when ${inner} = 'a' then 'b' else event end`),
  'CASE of CASE': nested((inner) => `case ${inner} when 'a' then 'b' when 'b' then 'c' else event end`),
  'branches of CASE': (count) => value(`case ${list(count, (n) => `when event = 'e${n}' then ${n}`, ' ')} end`),
  BETWEEN: nested((inner) => `toString(${inner} between 'a' and 'b')`),
  'IS DISTINCT FROM': nested((inner) => `toString(${inner} is distinct from 'a')`),
  'IN of expressions': nested((inner) => `toString(${inner} in (event, distinct_id, 'a'))`),
  'IN with a SELECT': nested((inner) => `toString(${inner} in (select event from events))`),
  'IN with a list': (count) => value(`event in (${list(count, (n) => `'e${n}'`)})`),
  'IN with a list of expressions': (count) => value(`event in (${list(count, (n) => `concat(event, 'e${n}')`)})`),
  NOT: nested((inner) => `(not ${inner})`, "event = 'a'"),
  'AND and OR': (count) => value(list(count, (n) => `event = 'e${n}'`, ' or event = distinct_id and ')),
  arithmetic: (count) => value(list(count, (n) => `length(event) * ${n + 1}`, ' - ')),
  concatenation: (count) => value(list(count, () => 'event', ' || ')),
  casts: nested((inner) => `cast(${inner} as String)`),
  lists: nested((inner) => `[${inner}]`),
  tuples: nested((inner) => `(${inner}, 1)`),
  elements: (count) => value(`properties.a${list(count, () => '[1]', '')}`),
  'names of properties': (count) => value(`properties.${list(count, (n) => `a${n}`, '.')}`),
  lambdas: nested((inner, n) => `arrayMap(x${n} -> ${inner}, range(10))`),
  'lambdas over lists that lambdas make': nested((inner) => `arrayMap(x -> x + 1, ${inner})`, 'range(10)'),
  'lambdas that fold': nested(
    (inner, n) => `arrayFold((a${n}, x${n}) -> a${n} + ${inner}, range(10), toInt64(0))`,
    'toInt64(1)',
  ),
  'folds of lists': nested(
    (inner) => `arrayFold((a, x) -> arrayPushBack(a, x), ${inner}, emptyArrayInt64())`,
    '[toInt64(1)]',
  ),
  'functions that are bounded': nested((inner) => `replaceRegexpAll(${inner}, 'a', 'b')`),
  'pairs that are bounded': nested(
    (inner) => `toString(levenshteinDistance(${inner}, ${inner.length < 9 ? 'event' : "'a'"}))`,
  ),
  'large values': nested((inner) => `toString(position(concat(repeat('a', 9), ${inner}), event))`, "'a'"),
  ranges: nested((inner) => `arraySum(range(${inner}, ${inner.length < 9 ? 9 : 99}))`, '1'),
  'columns of aliases': (count) => `select event as a0, ${list(count, (n) => `a${n} as a${n + 1}`)} from events`,
  'aliases that name another twice': aliases((a) => `${a} * ${a}`, 'length(event)'),
  'aliases that name another in a function': aliases((a) => `concat(${a}, ${a})`, 'event'),
  'aliases that name another in CASE': aliases(
    (a) => `case when ${a} > 1 then ${a} else ${a} + 1 end`,
    'length(event)',
  ),
  'aliases in a lambda': aliases((a) => `arrayMap(x -> x + ${a}[1], ${a})`, 'range(3)'),
  'sub-queries in FROM': (count) =>
    `select x from ${repeated(count, (inner) => `(select x from ${inner})`, '(select event as x from events)')}`,
  'sub-queries that name a column twice': (count) =>
    `select x from ${repeated(count, (inner) => `(select x * x as x from ${inner})`, '(select length(event) as x from events)')}`,
  'sub-queries as values': nested((inner) => `(select any(${inner}) from events)`),
  EXISTS: nested((inner) => `exists (select 1 from events where ${inner})`, 'true'),
  'CTEs that read another': ctes((before) => `select x from ${before}`),
  'CTEs that read another twice': ctes((before) => `select x from ${before} union all select x from ${before}`),
  'CTEs that join another': ctes((before) => `select l.x as x from ${before} as l join ${before} as r on l.x = r.x`),
  'CTEs with aliases': (count) =>
    `with c as (select length(event) as a0, ${list(Math.min(count, 10), (n) => `a${n} * a${n} as a${n + 1}`)} from events) select count() from ${list(count, (n) => `c as c${n}`, ' cross join ')}`,
  unions: (count) => list(count, () => 'select event from events', ' union all '),
  'unions in brackets': (count) =>
    repeated(count, (inner) => `(${inner} union all select event from events)`, 'select event from events'),
  joins: (count) =>
    `select count() from events as e ${list(count, (n) => `join persons as p${n} on e.person_id = p${n}.id`, ' ')}`,
  'cross joins': (count) => `select count() from events as e ${list(count, (n) => `cross join events as e${n}`, ' ')}`,
  columns: (count) => `select ${list(count, (n) => `length(event) + ${n} as c${n}`)} from events`,
  properties: (count) => `select ${list(count, (n) => `properties.p${n}`)} from events`,
  windows: (count) =>
    `select ${list(count, (n) => `count() over w${n}`)} from events window ${list(count, (n) => `w${n} as (partition by event order by timestamp rows ${n} preceding)`)}`,
  'windows of windows': (count) =>
    `select count() over w${count} from events window w0 as (partition by event), ${list(count, (n) => `w${n + 1} as (w${n})`)}`,
  'frames of windows': (count) =>
    `select max(n) from (select quantileExact(0.5)(i) over (order by i rows between ${count * 100} preceding and ${count * 100} following) as n from (select arrayJoin(range(${Math.min(count * 400, 1_000_000)})) as i))`,
  'keys of GROUP BY': (count) => `select count() from events group by ${list(count, (n) => `concat(event, '${n}')`)}`,
  'keys of WITH CUBE': (count) =>
    `select count() from events group by ${list(count, (n) => `concat(event, '${n}')`)} with cube`,
  'keys of WITH ROLLUP': (count) =>
    `select count() from events group by ${list(count, (n) => `concat(event, '${n}')`)} with rollup`,
  'keys of ORDER BY': (count) => `select event from events order by ${list(count, (n) => `concat(event, '${n}')`)}`,
  'keys of LIMIT BY': (count) => `select event from events limit 1 by ${list(count, (n) => `concat(event, '${n}')`)}`,
  intervals: (count) => value(`timestamp ${list(count, () => '+ interval 1 day', ' ')}`),
  patterns: (count) => value(`match(event, '${repeated(count, (inner) => `(${inner}*|b)+`, 'a')}')`),
  'counters in patterns': (count) => value(`match(event, '${repeated(count, (inner) => `(${inner}){9}`, 'a')}')`),
  'rows of lists': (count) =>
    `select count() from (select ${list(count, (n) => `arrayJoin(range(1000)) + ${n} as c${n}`)})`,
};

/** The largest of a form that can be asked for: the bounds of a text refuse all of them before. */
export const mostNested = 8192;
