import { dateShape } from '../reading/comparison.js';

const shape = new RegExp(dateShape);
const numeric = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?!\d)/;
const dayFirst = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})/;
const named = /^(?:[A-Z][a-z]{2},? )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4})/;
const clock = /[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?: ?(?:Z|UTC|GMT|([+-])(\d{2}):?(\d{2})))?$/;
const unix = /^(\d{9,10})(?:\.(\d+))?$/;
const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';

const millisecondsOf = (fraction = ''): number => Number(fraction.padEnd(3, '0').slice(0, 3));

/** The moment that the text of a property names, in milliseconds, as ClickHouse reads it; null if it is no date. */
export const storedMoment = (text: string): number | null => {
  if (!shape.test(text)) return null;
  if (/^\d{13}$/.test(text)) return Number(text);
  const [, seconds, fraction] = unix.exec(text) ?? [];
  if (seconds !== undefined) return Number(seconds) * 1000 + millisecondsOf(fraction);
  const day = dayOf(text);
  return day === null ? null : day + timeOf(text);
};

const dayOf = (text: string): number | null => {
  const [, year, , month, day] = numeric.exec(text) ?? [];
  if (year !== undefined) return startOf(Number(year), Number(month), Number(day));
  const [, d, m, y] = dayFirst.exec(text) ?? [];
  if (d !== undefined) return startOf(Number(y), Number(m), Number(d));
  const [, dd, name = '', yy] = named.exec(text) ?? [];
  return dd === undefined ? null : startOf(Number(yy), months.indexOf(name) / 3 + 1, Number(dd));
};

/** Null for a day that the month does not have. */
const startOf = (year: number, month: number, day: number): number | null => {
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  return at.getUTCMonth() === month - 1 ? at.getTime() : null;
};

const timeOf = (text: string): number => {
  const [, hour, minute, second, fraction, sign, zoneHour, zoneMinute] = clock.exec(text) ?? [];
  if (hour === undefined) return 0;
  const minutes = Number(hour) * 60 + Number(minute);
  const offset = sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(zoneHour) * 60 + Number(zoneMinute));
  return (minutes - offset) * 60_000 + Number(second ?? 0) * 1000 + millisecondsOf(fraction);
};
