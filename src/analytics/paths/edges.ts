import { type PathEdgeDto } from './paths.dto.js';
import { keyText, omission } from './path-key.js';

/** An edge as a row of ClickHouse. An empty text stands for the omitted middle of a path. */
export interface EdgeRow {
  readonly step: number;
  readonly source: string;
  readonly target: string;
  readonly value: number;
  readonly persons: number;
  readonly average: number;
}

export const tokensOf = (rows: readonly EdgeRow[]): bigint[] =>
  [...new Set(rows.flatMap(({ source, target }) => [source, target]))].filter((token) => token !== '').map(BigInt);

/** Replaces tokens by texts and sorts the edges. An item without a text lost its last event meanwhile: its edges are dropped. */
export const named = (rows: readonly EdgeRow[], texts: ReadonlyMap<string, string>): PathEdgeDto[] => {
  const itemOf = (token: string) => (token === '' ? omission : texts.get(token));
  return rows
    .flatMap(({ step, value, persons, average, ...ends }): PathEdgeDto[] => {
      const [source, target] = [itemOf(ends.source), itemOf(ends.target)];
      if (source === undefined || target === undefined) return [];
      const keys = { source: keyText({ step, item: source }), target: keyText({ step: step + 1, item: target }) };
      return [{ ...keys, value, persons, average_conversion_time: average }];
    })
    .sort((a, b) => b.value - a.value || byBytes(a.source, b.source) || byBytes(a.target, b.target));
};

/** Compares texts as ClickHouse does. */
const byBytes = (a: string, b: string): number => (a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b)));

/** Drops the edges that no remaining path connects with a first step. */
export const connected = (edges: readonly PathEdgeDto[]): PathEdgeDto[] => {
  const reached = new Set(edges.map(({ source }) => source).filter((source) => source.startsWith('1_')));
  const ways = new Map<string, string[]>();
  for (const { source, target } of edges) ways.set(source, [...(ways.get(source) ?? []), target]);
  // The iteration over a set also visits values that are added meanwhile.
  for (const source of reached) for (const target of ways.get(source) ?? []) reached.add(target);
  return edges.filter(({ source }) => reached.has(source));
};
