import fc from 'fast-check';
import { type ModelEvent } from './model.js';

/** A breakdown as a question has it: one property or several, each of events or of persons. */
export interface NaiveBreakdown {
  readonly parts: readonly { readonly type: 'event' | 'person'; readonly property: string }[];
  readonly limit: number;
  readonly normalizesUrl: boolean;
  readonly bins: number | null;
  /** Sent as `breakdown` where the parts have one type. */
  readonly inOneParameter: boolean;
}

const part = fc.record({
  type: fc.constantFrom('event' as const, 'event' as const, 'person' as const),
  property: fc.constantFrom('plan', 'size', "o'b.c $1"),
});

export const naiveBreakdown: fc.Arbitrary<NaiveBreakdown> = fc.record({
  parts: fc.oneof(
    { weight: 2, arbitrary: part.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(part, { minLength: 2, maxLength: 3 }) },
  ),
  limit: fc.constantFrom(1, 2, 25),
  normalizesUrl: fc.constantFrom(false, false, true),
  bins: fc.constantFrom(null, null, null, 1, 2, 3, 7),
  inOneParameter: fc.boolean(),
});

export const breakdownQuery = ({ parts, limit, normalizesUrl, bins, inOneParameter }: NaiveBreakdown): object => {
  const [first] = parts;
  const isOfOneType = parts.every(({ type }) => type === first?.type);
  return {
    ...(inOneParameter && isOfOneType
      ? { breakdown: parts.map(({ property }) => property), breakdown_type: first?.type }
      : { breakdowns: parts }),
    breakdown_limit: limit,
    breakdown_normalize_url: normalizesUrl,
    ...(bins === null ? {} : { breakdown_histogram_bin_count: bins }),
  };
};

export const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

export const numberOf = (value: unknown): number | null => {
  const text = textOf(value);
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : null;
};

const propertyOf = (event: ModelEvent, { type, property }: NaiveBreakdown['parts'][number]): unknown =>
  (type === 'event' ? event.properties : (event.person?.properties ?? {}))[property];

/** The values of an event, one text for each part. `all`: the events among whose numbers bins find their bounds. */
export const textsOf = (
  { parts, normalizesUrl, bins }: NaiveBreakdown,
  all: readonly ModelEvent[],
): ((event: ModelEvent) => string[]) => {
  const readers = parts.map((one) => {
    if (bins === null) {
      return (event: ModelEvent) => {
        const text = textOf(propertyOf(event, one));
        return normalizesUrl && text !== '' ? text.replace(/[/?#]+$/, '') || '/' : text;
      };
    }
    const numbers = all.flatMap((event) => numberOf(propertyOf(event, one)) ?? []);
    const binOf = binsOf(Math.min(...numbers), Math.max(...numbers), bins);
    return (event: ModelEvent) => {
      const number = numberOf(propertyOf(event, one));
      return number === null ? '' : binOf(number);
    };
  });
  return (event) => readers.map((read) => read(event));
};

/** Bins of equal width, whose bounds are cut to two decimals, or to more where the bins are narrower than 1. */
const binsOf = (lowest: number, highest: number, count: number): ((number: number) => string) => {
  const width = (highest - lowest) / count;
  const decimals = width === 0 || width >= 1 ? 2 : 2 + Math.ceil(-Math.log10(width));
  const cut = (number: number) => Math.floor(number * 10 ** decimals) / 10 ** decimals;
  const bounds = Array.from({ length: count }, (_, at) => cut(lowest + at * width));
  const edges = [...new Set([...bounds, Number((cut(highest) + 10 ** -decimals).toFixed(decimals))])];
  const shown = (number: number) => (Number.isInteger(number) ? `${number}.0` : String(number));
  return (number) => {
    const at = edges.findLastIndex((edge) => edge <= number);
    return `[${shown(edges[at] ?? NaN)},${shown(edges[at + 1] ?? NaN)}]`;
  };
};

/** As the store sorts lists of texts. */
export const compareLists = (a: readonly string[], b: readonly string[]): number => {
  for (const [at, text] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    if (text !== other) return text < other ? -1 : 1;
  }
  return a.length - b.length;
};
