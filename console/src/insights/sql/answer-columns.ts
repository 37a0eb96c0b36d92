// Without imports, so that test/console reads it without a browser.

/** What a picture needs of an answer. */
export interface Answered {
  readonly columns: readonly string[];
  /** The name and the type of each column. */
  readonly types: readonly (readonly string[])[];
  readonly results: readonly (readonly unknown[])[];
}

const numeric = /^(?:Nullable\()?(?:U?Int\d+|Float\d+|Decimal)/;

export const isNumeric = (answer: Answered, column: number): boolean => numeric.test(answer.types[column]?.[1] ?? '');

/** A cell as text: numbers and texts as they are, everything else as JSON. */
export const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The columns that a picture is made of, by their positions. */
export interface ChartColumns {
  readonly kind: 'line' | 'bar';
  /** Names the points. */
  readonly label: number;
  /** Each is a series; with `split` only the first is drawn. */
  readonly values: readonly number[];
  /** Its values are the series. */
  readonly split: number | null;
}

const isTime = (answer: Answered, column: number): boolean => /Date/.test(answer.types[column]?.[1] ?? '');

/** A time names the points before a text does; a text beside a time splits them. Null if nothing can be drawn. */
export const chartOf = (answer: Answered): ChartColumns | null => {
  const indexes = answer.columns.map((_, index) => index);
  const values = indexes.filter((index) => isNumeric(answer, index));
  const others = indexes.filter((index) => !isNumeric(answer, index));
  if (values.length === 0 || answer.results.length === 0) return null;
  const time = others.find((index) => isTime(answer, index));
  const label = time ?? others[0] ?? values[0] ?? 0;
  const drawn = values.filter((index) => index !== label);
  if (drawn.length === 0) return null;
  const split = time === undefined ? null : (others.find((index) => index !== time && !isTime(answer, index)) ?? null);
  return { kind: time === undefined ? 'bar' : 'line', label, values: drawn, split };
};

export const mostPoints = 500;
export const mostSeries = 10;

export interface ChartData {
  readonly labels: readonly string[];
  readonly series: readonly { readonly name: string; readonly data: readonly (number | null)[] }[];
  /** The number of rows or series that the picture leaves out. */
  readonly omitted: number;
}

const numberOf = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

/** Times are in their own order, texts in that of the answer. */
const labelsOf = (answer: Answered, column: number, rows: Answered['results']): string[] => {
  const labels = [...new Set(rows.map((row) => cellText(row[column])))];
  return isTime(answer, column) ? labels.sort() : labels;
};

export const chartData = (answer: Answered, { label, values, split }: ChartColumns): ChartData => {
  const [first = 0] = values;
  if (split === null) {
    const rows = answer.results.slice(0, mostPoints);
    const inOrder = isTime(answer, label)
      ? [...rows].sort((a, b) => (cellText(a[label]) < cellText(b[label]) ? -1 : 1))
      : rows;
    return {
      labels: inOrder.map((row) => cellText(row[label])),
      series: values.map((column) => ({
        name: answer.columns[column] ?? '',
        data: inOrder.map((row) => numberOf(row[column])),
      })),
      omitted: answer.results.length - rows.length,
    };
  }
  const sums = new Map<string, number>();
  for (const row of answer.results) {
    const name = cellText(row[split]);
    sums.set(name, (sums.get(name) ?? 0) + Math.abs(Number(row[first] ?? 0)));
  }
  const names = [...sums].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const drawn = names.slice(0, mostSeries);
  const labels = labelsOf(answer, label, answer.results).slice(0, mostPoints);
  const numbers = new Map(
    answer.results.map((row) => [`${cellText(row[label])}\n${cellText(row[split])}`, numberOf(row[first])]),
  );
  return {
    labels,
    series: drawn.map((name) => ({
      name: name === '' ? '(empty)' : name,
      data: labels.map((one) => numbers.get(`${one}\n${name}`) ?? null),
    })),
    omitted: names.length - drawn.length,
  };
};
