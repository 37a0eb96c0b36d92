/** An answer of the engine in the format JSONCompact; its rows stay the bytes that the engine wrote. */
export interface CompactAnswer {
  readonly types: readonly string[];
  /** Rows as JSON, separated by commas. */
  readonly rows: Buffer;
  /** The number of rows in `rows`. */
  readonly count: number;
  /** True if the engine returned more rows than the limit; these are left out. */
  readonly hasMore: boolean;
  readonly rowsRead: number;
}

interface Meta {
  readonly meta: readonly { readonly name: string; readonly type: string }[];
}

interface Statistics {
  readonly rows: number;
  readonly statistics: { readonly rows_read: number };
}

const begin = '\n\t"data":\n\t[\n';
const end = '\n\t],\n\n\t"rows": ';
const separator = ',\n\t\t[';

/**
 * Reads only the head and the tail, because the rows can be many megabytes, which take too long to read or to copy. JSON
 * escapes the line breaks of texts, so the marks are found only where the engine wrote them. The answer has at most one row
 * more than `limit`.
 */
export const readCompact = (answer: Buffer, limit: number): CompactAnswer => {
  const from = answer.indexOf(begin);
  const to = answer.lastIndexOf(end);
  if (from < 0 || to < 0) throw new Error('the engine wrote another format than JSONCompact');
  const { meta } = JSON.parse(`${answer.toString('utf8', 0, from).replace(/,\s*$/, '')}}`) as Meta;
  const tail = answer.toString('utf8', to + '\n\t],\n\n'.length);
  const { rows: count, statistics } = JSON.parse(`{${tail}`) as Statistics;
  const all = answer.subarray(from + begin.length, Math.max(to, from + begin.length));
  const hasMore = count > limit;
  return {
    types: meta.map(({ type }) => plainType(type)),
    rows: hasMore ? all.subarray(0, Math.max(0, all.lastIndexOf(separator))) : all,
    count: Math.min(count, limit),
    hasMore,
    rowsRead: statistics.rows_read,
  };
};

/** Removes LowCardinality, which is about the storage of a value and no part of its type. */
const plainType = (type: string): string => type.replace(/LowCardinality\(((?:[^()]|\([^()]*\))*)\)/g, '$1');
