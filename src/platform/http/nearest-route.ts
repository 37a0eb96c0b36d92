import { nearestName } from '../errors/nearest-name.js';

const maxSegments = 8;
const maxSegmentLength = 60;
/** Shorter segments are not compared, because they differ from each other by too few letters. */
const shortestCompared = 4;
const maxCost = 3.5;

/** Segments of other products that have another name here. */
const synonyms: Readonly<Record<string, string>> = {
  teams: 'projects',
  users: 'persons',
  people: 'persons',
  members: 'persons',
  insights: 'persons',
  insight: 'persons',
  paths: 'path',
  funnels: 'funnel',
};

/**
 * The route that was probably meant by a path that matches none. It has the ids of the path, and names in braces for missing
 * ids; null if no route is near.
 */
export const nearestRoute = (path: string, routes: readonly string[]): string | null => {
  const sent = path.split('/').filter(Boolean);
  if (sent.length === 0 || sent.length > maxSegments) return null;
  if (sent.some((segment) => segment.length > maxSegmentLength)) return null;
  const differences = new Differences();
  let best: Match | null = null;
  for (const route of new Set(routes)) {
    const segments = route.split('/').filter(Boolean);
    if (Math.abs(segments.length - sent.length) > maxCost) continue;
    const name = segments.findLast((segment) => !isId(segment)) ?? '';
    if (!sent.some((segment) => differences.of(segment, name) < 1)) continue;
    const match = compared(sent, segments, differences);
    if (match && match.cost <= maxCost && (!best || match.cost < best.cost)) best = match;
  }
  return best && pathOf(best);
};

const mostBelow = 3;

/** The routes that have one segment more than the path, which matches none; empty if they are too many to name. */
export const routesBelow = (path: string, routes: readonly string[]): readonly string[] => {
  const sent = path.split('/').filter(Boolean);
  const below = [...new Set(routes)]
    .map((route) => route.split('/').filter(Boolean))
    .filter((segments) => segments.length === sent.length + 1)
    .filter((segments) => sent.every((segment, at) => isId(segments[at] ?? '') || segments[at] === segment))
    .map((segments) => `/${segments.map((known, at) => sent[at] ?? named(known)).join('/')}`);
  return sent.length === 0 || below.length > mostBelow ? [] : below;
};

interface Match {
  readonly cost: number;
  /** The last segment of the path so far; null at its beginning. */
  readonly last: { readonly segment: string; readonly before: Match } | null;
  /** True if the path also has the last name of the route, which says what the route is about. */
  readonly hasName: boolean;
}

const pathOf = ({ last }: Match): string => (last === null ? '' : `${pathOf(last.before)}/${last.segment}`);

const version = /^v\d+$/;

/** A number, a uuid or @current. */
const looksLikeId = /^(?:\d+|@current|[\da-f]{8}-[\da-f-]{27})$/i;

const isId = (segment: string): boolean => segment.startsWith(':');

/** Compares the segments as an edit distance compares letters. */
const compared = (sent: readonly string[], route: readonly string[], differences: Differences): Match | null => {
  const name = route.findLastIndex((segment) => !isId(segment));
  const start: Match = { cost: 0, last: null, hasName: false };
  let row: Match[] = [start];
  for (const [at, known] of route.entries()) row.push(inserted(row[at] ?? start, known));
  for (const [index, segment] of sent.entries()) {
    // An id and the last segment of the path say what is meant, so they must not be removed.
    const isMeant = looksLikeId.test(segment) || index === sent.length - 1;
    const removal = isMeant ? Infinity : version.test(segment) ? 0.4 : 1;
    const next: Match[] = [{ ...start, cost: (row[0]?.cost ?? 0) + removal }];
    for (const [at, known] of route.entries()) {
      const [without, before, shorter] = [row[at + 1] ?? start, row[at] ?? start, next[at] ?? start];
      const more = isId(known) ? costOfId(segment) : differences.of(segment, known);
      const cost = Math.min(without.cost + removal, shorter.cost + 1, before.cost + more);
      if (cost === without.cost + removal) next.push({ ...without, cost });
      else if (cost === shorter.cost + 1) next.push(inserted(shorter, known));
      else {
        const last = { segment: isId(known) ? segment : known, before };
        next.push({ cost, last, hasName: before.hasName || (at === name && more < 1) });
      }
    }
    row = next;
  }
  const match = row.at(-1);
  return match?.hasName ? match : null;
};

/** The cost of taking a segment for an id. The version of an interface, such as `v1`, is never an id. */
const costOfId = (segment: string): number =>
  looksLikeId.test(segment) ? 0.1 : version.test(segment) ? Infinity : 0.8;

const named = (segment: string): string => (isId(segment) ? `{${segment.slice(1)}}` : segment);

const inserted = (before: Match, known: string): Match => ({
  cost: before.cost + 1,
  last: { segment: named(known), before },
  hasName: before.hasName,
});

/** Remembers each comparison, because the routes share most of their segments. */
class Differences {
  private readonly known = new Map<string, number>();

  of(sent: string, segment: string): number {
    const pair = `${sent}/${segment}`;
    const known = this.known.get(pair) ?? difference(sent, segment);
    this.known.set(pair, known);
    return known;
  }
}

const difference = (sent: string, known: string): number => {
  if (sent === known) return 0;
  if (synonyms[sent] === known) return 0.3;
  if (known.length < shortestCompared || Math.abs(known.length - sent.length) > 2) return Infinity;
  const isNear = nearestName(sent, [known], 2) !== null;
  return isNear ? 0.5 : Infinity;
};
