/** The filter language once more, slowly and plainly: one document at a time, from the raw JSON. */

export interface NaiveSubject {
  readonly event: Readonly<Record<string, unknown>>;
  /** No row of persons: personless, or deleted. */
  readonly person: Readonly<Record<string, unknown>> | null;
  readonly metadata: { readonly timestamp: Date; readonly distinct_id: string; readonly event: string };
  readonly cohorts: ReadonlySet<number>;
}

export interface NaiveLeaf {
  readonly type: string;
  readonly key: string;
  readonly operator: string;
  readonly value?: unknown;
  readonly negation?: boolean;
}

export type NaiveFilter = NaiveLeaf | { readonly type: 'AND' | 'OR'; readonly values: readonly NaiveFilter[] };

export const naivelyHolds = (filter: NaiveFilter, subject: NaiveSubject, now: Date): boolean => {
  if ('values' in filter) {
    if (filter.values.length === 0) return true;
    const results = filter.values.map((part) => naivelyHolds(part, subject, now));
    return filter.type === 'AND' ? !results.includes(false) : results.includes(true);
  }
  const held = leafHolds(filter, subject, now);
  return filter.negation ? !held : held;
};

const leafHolds = (leaf: NaiveLeaf, subject: NaiveSubject, now: Date): boolean => {
  const values = Array.isArray(leaf.value) ? (leaf.value as unknown[]) : [leaf.value];
  if (leaf.type === 'cohort') {
    const inside = subject.cohorts.has(Number(leaf.value));
    return leaf.operator === 'not_in' ? !inside : inside;
  }
  const stored = storedText(leaf, subject);
  if (leaf.operator === 'is_set') return stored !== null;
  if (leaf.operator === 'is_not_set') return stored === null;
  if (values.length === 0) return true;
  const negative = /^(is_not|not_.*)$/.test(leaf.operator);
  const positive =
    { is_not: 'exact', not_in: 'exact', in: 'exact' }[leaf.operator] ?? leaf.operator.replace(/^not_/, '');
  if (stored === null) return negative;
  const isTime = leaf.type === 'event_metadata' && leaf.key === 'timestamp';
  const one = (operator: string, value: unknown) => compares(operator, stored, value, now, isTime);
  const held =
    positive === 'between' ? one('gte', values[0]) && one('lte', values[1]) : values.some((v) => one(positive, v));
  return negative ? !held : held;
};

const storedText = ({ type, key }: NaiveLeaf, { event, person, metadata }: NaiveSubject): string | null => {
  if (type === 'event_metadata') {
    const value = metadata[key as keyof typeof metadata];
    return value instanceof Date ? value.toISOString() : value;
  }
  const document = type === 'person' ? person : event;
  return document && Object.hasOwn(document, key) ? textForm(document[key]) : null;
};

/** Large numbers are 1e21, not 1e+21 as JavaScript writes them; to `exact` both are the same. */
const textForm = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return sameSpelling(String(value));
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const sameSpelling = (text: string): string => text.replace(/^(-?\d(?:\.\d+)?)e\+(\d+)$/, '$1e$2');

const compares = (operator: string, stored: string, value: unknown, now: Date, isTime: boolean): boolean => {
  const filterValue = String(value);
  switch (operator) {
    case 'exact':
      if (isTime) return inRange(dateOf(stored), rangeOf(filterValue));
      return sameSpelling(stored) === sameSpelling(filterValue);
    case 'icontains':
      return simpleLower(stored).includes(simpleLower(filterValue));
    case 'regex':
      return new RegExp(filterValue, 'u').test(stored);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return inOrder(operator, stored, filterValue);
    case 'is_date_exact':
      return inRange(dateOf(stored), rangeOf(filterValue) ?? periodOf(filterValue, now));
    case 'is_date_before': {
      const at = dateOf(stored);
      const from = rangeOf(filterValue)?.[0] ?? agoOf(filterValue, now);
      return at !== null && at < from;
    }
    case 'is_date_after': {
      const at = dateOf(stored);
      const range = rangeOf(filterValue);
      return at !== null && (range ? at >= range[1] : at > agoOf(filterValue, now));
    }
    default:
      throw new Error(`Unknown operator ${operator}`);
  }
};

const simpleLower = (text: string): string => [...text].map((character) => character.toLowerCase()).join('');

const inOrder = (operator: string, stored: string, filterValue: string): boolean => {
  const number = numberOf(filterValue);
  const date = rangeOf(filterValue)?.[0];
  let sign: number | null;
  if (number !== null) sign = numberOf(stored) === null ? null : Math.sign((numberOf(stored) ?? 0) - number);
  else if (date !== undefined) sign = dateOf(stored) === null ? null : Math.sign((dateOf(stored) ?? 0) - date);
  else sign = Buffer.compare(Buffer.from(stored), Buffer.from(filterValue));
  if (sign === null) return false;
  return { gt: sign > 0, gte: sign >= 0, lt: sign < 0, lte: sign <= 0 }[operator] ?? false;
};

const numberOf = (text: string): number | null =>
  /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : null;

const inRange = (at: number | null, range: readonly [number, number] | null): boolean =>
  at !== null && range !== null && at >= range[0] && at < range[1];

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const clock = '(?:[T ](\\d\\d):(\\d\\d)(?::(\\d\\d)(?:\\.(\\d+))?)?(?: ?(Z|UTC|GMT|[+-]\\d\\d:?\\d\\d))?)?';

/** Milliseconds, or null for what is no date. */
const dateOf = (text: string): number | null => {
  if (/^\d{9,10}(\.\d+)?$/.test(text)) {
    const [seconds, fraction = ''] = text.split('.');
    return Number(seconds) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
  }
  if (/^\d{13}$/.test(text)) return Number(text);
  const yearFirst = new RegExp(`^(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})${clock}$`).exec(text);
  if (yearFirst) return instantOf(yearFirst[1], yearFirst[2], yearFirst[3], yearFirst.slice(4));
  const dayFirst = new RegExp(`^(\\d{1,2})[-/](\\d{1,2})[-/](\\d{4})${clock}$`).exec(text);
  if (dayFirst) return instantOf(dayFirst[3], dayFirst[2], dayFirst[1], dayFirst.slice(4));
  const mail = new RegExp(`^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(\\d{1,2}) ([A-Z][a-z]{2}) (\\d{4})${clock}$`).exec(
    text,
  );
  return mail ? instantOf(mail[3], String(months.indexOf(mail[2] ?? '') + 1), mail[1], mail.slice(4)) : null;
};

const instantOf = (
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  [hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z']: readonly (string | undefined)[],
): number | null => {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const date = new Date(Date.UTC(2000, m - 1, d));
  date.setUTCFullYear(y, m - 1, d);
  if (date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const time = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  if (Number(hours ?? 0) > 14 || Number(minutes ?? 0) > 59) return null;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000 * (sign === '-' ? -1 : 1);
  return date.getTime() + time - offset + Number(fraction.padEnd(3, '0').slice(0, 3));
};

/** The period of an ISO date. */
const rangeOf = (text: string): readonly [number, number] | null => {
  const shape = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?( ?(Z|[+-]\d\d:?\d\d))?)?$/.exec(text);
  const from = shape ? dateOf(text) : null;
  if (!shape || from === null) return null;
  const [, time, seconds, fraction] = shape;
  if (time === undefined) return [from, from + 86_400_000];
  if (seconds === undefined) return [from, from + 60_000];
  if (fraction === undefined) return [from, from + 1000];
  return [from, from + Math.max(1, 10 ** (4 - fraction.length))];
};

const agoOf = (text: string, now: Date): number => {
  const [, count = '0', unit = ''] = /^-?(\d+)([hdwmy])$/.exec(text) ?? [];
  const n = Number(count);
  if (unit === 'h') return now.getTime() - n * 3_600_000;
  if (unit === 'd' || unit === 'w') return now.getTime() - n * 86_400_000 * (unit === 'w' ? 7 : 1);
  const back = unit === 'm' ? n : n * 12;
  const at = new Date(now);
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() - back);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(now.getUTCDate(), last));
  return at.getTime();
};

const periodOf = (text: string, now: Date): readonly [number, number] => {
  const size = text.endsWith('h') ? 3_600_000 : 86_400_000;
  const from = Math.floor(agoOf(text, now) / size) * size;
  return [from, from + size];
};
