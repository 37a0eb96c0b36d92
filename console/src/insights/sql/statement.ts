// Without imports, so that test/console compares its numbers with those of the service.

export interface SqlSeries {
  /** The name of an event, null for any event, or the id of an action. */
  readonly id: string | number | null;
  readonly isAction: boolean;
  readonly counts: 'events' | 'persons';
  readonly filter?: unknown;
}

export interface SqlQuestion {
  readonly series: readonly SqlSeries[];
  /** Filters that every event must pass, each a group, a list or one condition. */
  readonly filters: readonly unknown[];
  readonly interval: string;
  /** The resolved range: ISO 8601 in UTC. */
  readonly from: string;
  readonly to: string;
  /** The first point, if it counts as a whole although the range begins later: a date in the project's zone. */
  readonly wholeFrom: string | null;
  readonly timezone: string;
  /** 0 for Sunday, 1 for Monday. */
  readonly weekStartDay: number;
}

const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const moment = (iso: string): string => `toDateTime64('${iso.replace('T', ' ').replace('Z', '')}', 3, 'UTC')`;

const isFields = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const valuesOf = (value: unknown): string[] | null => {
  const list: readonly unknown[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  // A number has several spellings, and JSON too: only plain texts are certain to be compared as they are.
  const texts = list.filter((one) => typeof one === 'string' && !/^[\s[{+\-.\d]/.test(one)) as string[];
  return texts.length === list.length ? texts : null;
};

/** The two-valued conditions of operators on a property; null for those that are not written here. */
const comparison = (left: string, operator: string, value: unknown): string | null => {
  if (operator === 'is_set') return `isNotNull(${left})`;
  if (operator === 'is_not_set') return `isNull(${left})`;
  const values = valuesOf(value);
  if (values === null || values.length === 0) return null;
  const exact = `ifNull(${left} IN (${values.map(text).join(', ')}), false)`;
  const contains = values
    .map((one) => `ifNull(positionCaseInsensitiveUTF8(${left}, ${text(one)}) > 0, false)`)
    .join(' OR ');
  switch (operator) {
    case 'exact':
      return exact;
    case 'is_not':
      return `NOT ${exact}`;
    case 'icontains':
      return `(${contains})`;
    case 'not_icontains':
      return `NOT (${contains})`;
    default:
      return null;
  }
};

const condition = (leaf: Record<string, unknown>): string | null => {
  const { type = 'event', key, operator = 'exact', value, negation } = leaf;
  if (type === 'cohort') {
    const isOut = (negation === true) !== (operator === 'not_in');
    const id = Number(value);
    return Number.isInteger(id) && id > 0 ? `person_id ${isOut ? 'NOT IN' : 'IN'} COHORT ${id}` : null;
  }
  if ((type !== 'event' && type !== 'person') || typeof key !== 'string' || typeof operator !== 'string') return null;
  const left = `${type === 'person' ? 'person.' : ''}properties[${text(key)}]`;
  const compared = comparison(left, operator, value);
  return compared !== null && negation === true ? `NOT (${compared})` : compared;
};

/** A filter as one condition; null if some part of it is not written here, so that no statement with other numbers is given. */
const filterSql = (filter: unknown): string | null => {
  if (Array.isArray(filter)) return filterSql({ type: 'AND', values: filter });
  if (!isFields(filter)) return null;
  if (!Array.isArray(filter.values)) return condition(filter);
  const parts = filter.values.map(filterSql);
  if (parts.some((part) => part === null)) return null;
  return parts.length === 0 ? 'true' : `(${parts.join(filter.type === 'OR' ? ' OR ' : ' AND ')})`;
};

const isWritten = (part: string | null): part is string => part !== null;

const entitySql = ({ id, isAction, filter }: SqlSeries): string | null => {
  const parts = [
    ...(id === null ? [] : [isAction ? `matchesAction(${Number(id)})` : `event = ${text(String(id))}`]),
    ...(filter === undefined ? [] : [filterSql(filter)]),
  ];
  if (!parts.every(isWritten)) return null;
  return parts.length === 0 ? 'true' : parts.join(' AND ');
};

const starts: Readonly<Record<string, (at: string, weekStartDay: number) => string>> = {
  minute: (at) => `toStartOfMinute(${at})`,
  hour: (at) => `toStartOfHour(${at})`,
  day: (at) => `toDate(${at})`,
  week: (at, weekStartDay) => `toStartOfWeek(${at}, ${weekStartDay === 1 ? 1 : 0})`,
  month: (at) => `toStartOfMonth(${at})`,
};

const letter = (index: number): string => String.fromCharCode(65 + index);

/** The condition on the start of the range. */
const beginning = ({ from, wholeFrom }: SqlQuestion): string =>
  `timestamp >= ${wholeFrom === null ? moment(from) : `toDateTime(${text(`${wholeFrom} 00:00:00`)})`}`;

/** The words of a WHERE: the range, the filters and that at least one series counts the event. */
const whereOf = ({ to, filters }: SqlQuestion, begins: string, entities: readonly string[]): string | null => {
  const all = filters.map(filterSql);
  if (!all.every(isWritten)) return null;
  const some = entities.includes('true') ? [] : [entities.map((entity) => `(${entity})`).join(' OR ')];
  return [begins, `timestamp <= ${moment(to)}`, ...all, ...some.map((one) => `(${one})`)].join('\n  AND ');
};

/** The numbers of events or persons at each point, one column for each series. A point with no event has no row. */
export const trendsStatement = (question: SqlQuestion, isTotal: boolean): string | null => {
  const { series, interval, weekStartDay } = question;
  const start = starts[interval];
  const entities = series.map(entitySql);
  if (!start || series.length === 0 || series.length > 26 || !entities.every(isWritten)) return null;
  const columns = series.map(({ counts }, at) => {
    const entity = entities[at] ?? 'true';
    const number = counts === 'events' ? `countIf(${entity})` : `uniqExactIf(person_id, ${entity})`;
    return `${number} AS ${letter(at)}`;
  });
  const where = whereOf(question, beginning(question), entities);
  if (where === null) return null;
  if (isTotal) return `SELECT ${columns.join(',\n  ')}\nFROM events\nWHERE ${where}`;
  return `SELECT ${start('timestamp', weekStartDay)} AS point,\n  ${columns.join(',\n  ')}\nFROM events\nWHERE ${where}\nGROUP BY point\nORDER BY point\nLIMIT 50000`;
};

/** The number of persons by the number of intervals in which they were active. The first interval counts as a whole. */
export const stickinessStatement = (question: SqlQuestion): string | null => {
  const { from, timezone, weekStartDay } = question;
  const start = starts[question.interval];
  const [only, ...others] = question.series;
  const entity = only && entitySql(only);
  if (!start || others.length > 0 || entity === undefined || entity === null) return null;
  const interval = start('timestamp', weekStartDay);
  const first = start(`toTimeZone(${moment(from)}, ${text(timezone)})`, weekStartDay);
  const where = whereOf(question, `${interval} >= ${first}`, [entity]);
  if (where === null) return null;
  const active = `SELECT person_id, count(DISTINCT ${interval}) AS intervals\n  FROM events\n  WHERE ${where.replaceAll('\n', '\n  ')}\n  GROUP BY person_id`;
  return `SELECT intervals, count() AS persons\nFROM (\n  ${active}\n)\nGROUP BY intervals\nORDER BY intervals\nLIMIT 50000`;
};
