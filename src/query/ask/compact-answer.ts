/** An answer of the engine in the format JSONCompact, of which the rows stay the text that the engine wrote. */
export interface CompactAnswer {
  readonly types: readonly string[];
  /** Rows as JSON, separated by commas. */
  readonly rows: string;
  readonly count: number;
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
 * wrote them. Rows beyond `limit` are left out.
 */
export const readCompact = (text: string, limit: number): CompactAnswer & { readonly hasMore: boolean } => {
  const from = text.indexOf(begin);
  const to = text.lastIndexOf(end);
  if (from < 0 || to < 0) throw new Error('the engine wrote another format than JSONCompact');
  const { meta } = JSON.parse(`${text.slice(0, from).replace(/,\s*$/, '')}}`) as Meta;
  const tail = text.slice(to + '\n\t],\n\n'.length);
  const { rows: count, statistics } = JSON.parse(`{${tail}`) as Statistics;
  const all = text.slice(from + begin.length, Math.max(to, from + begin.length)).trim();
  const hasMore = count > limit;
  const rows = hasMore ? all.slice(0, Math.max(0, all.lastIndexOf(separator))) : all;
  return {
    types: meta.map(({ type }) => plainType(type)),
    rows: rows.replaceAll(separator, ',['),
    count: Math.min(count, limit),
    rowsRead: statistics.rows_read,
    hasMore,
  };
};

/** How a value is stored is not part of its type. */
const plainType = (type: string): string => type.replace(/LowCardinality\(((?:[^()]|\([^()]*\))*)\)/g, '$1');
