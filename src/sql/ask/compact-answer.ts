/** An answer of the engine in the format JSONCompact, of which the rows stay the bytes that the engine wrote. */
export interface CompactAnswer {
  readonly types: readonly string[];
  /** Rows as JSON, separated by commas. */
  readonly rows: Buffer;
  /** True if the engine returned more rows than the limit, which are left out. */
  /** The number of these rows. */
  readonly count: number;
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
 * Reads the head and the tail. A text in a row has no line breaks of its own, so the marks are found only where the engine
 * wrote them. The rows can be many megabytes, which take too long to read or to copy. At most one row is beyond `limit`.
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

/** How a value is stored is not part of its type. */
const plainType = (type: string): string => type.replace(/LowCardinality\(((?:[^()]|\([^()]*\))*)\)/g, '$1');
