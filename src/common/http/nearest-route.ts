import { nearestName } from './nearest-name.js';

const maxSegments = 10;
const maxSegmentLength = 60;
/** Shorter segments differ from each other by too few letters. */
const shortestCompared = 4;
const maxCost = 3.5;

/** Segments of other products that have another name here. */
const synonyms: Readonly<Record<string, string>> = {
  environments: 'projects',
  teams: 'projects',
  users: 'persons',
  insights: 'persons',
  paths: 'path',
};

/**
 * The route that a path without a route was probably meant for, with the ids of the path and with names in braces for
 * those it lacks; null when no route is near.
 */
export const nearestRoute = (path: string, routes: readonly string[]): string | null => {
  const sent = path.split('/').filter(Boolean);
  if (sent.length === 0 || sent.length > maxSegments) return null;
  if (sent.some((segment) => segment.length > maxSegmentLength)) return null;
  const differences = new Differences();
  let best: Match | null = null;
  for (const route of new Set(routes)) {
    const segments = route.split('/').filter(Boolean);
    const name = segments.findLast((segment) => !isId(segment)) ?? '';
    if (!sent.some((segment) => differences.of(segment, name) < 1)) continue;
    const match = compared(sent, segments, differences);
    if (match && match.cost <= maxCost && (!best || match.cost < best.cost)) best = match;
  }
  return best && `/${best.path.join('/')}`;
};

interface Match {
  readonly cost: number;
  readonly path: readonly string[];
  /** Whether the last name of the route, which says what it is about, is a name of the path too. */
  readonly hasName: boolean;
}

/** A number, a uuid or @current. */
const looksLikeId = /^(?:\d+|@current|[\da-f]{8}-[\da-f-]{27})$/i;

const isId = (segment: string): boolean => segment.startsWith(':');

/** Compares the segments as an edit distance compares letters. */
const compared = (sent: readonly string[], route: readonly string[], differences: Differences): Match | null => {
  const name = route.findLastIndex((segment) => !isId(segment));
  const start: Match = { cost: 0, path: [], hasName: false };
  let row: Match[] = [start];
  for (const [at, segment] of route.entries()) row.push(inserted(row[at] ?? start, segment));
  for (const [place, segment] of sent.entries()) {
    // An id and the last segment say what is meant, so no route without them is near.
    const removal = looksLikeId.test(segment) || place === sent.length - 1 ? Infinity : 1;
    const next: Match[] = [{ ...start, cost: (row[0]?.cost ?? 0) + removal }];
    for (const [at, known] of route.entries()) {
      const removed = row[at + 1] ?? start;
      const choices = [
        { ...removed, cost: removed.cost + removal },
        inserted(next[at] ?? start, known),
        replaced(row[at] ?? start, segment, known, isId(known) ? null : differences.of(segment, known), at === name),
      ];
      next.push(choices.reduce((best, choice) => (choice.cost < best.cost ? choice : best)));
    }
    row = next;
  }
  const match = row.at(-1);
  return match?.hasName ? match : null;
};

const inserted = ({ cost, path, hasName }: Match, known: string): Match => ({
  cost: cost + 1,
  path: [...path, isId(known) ? `{${known.slice(1)}}` : known],
  hasName,
});

/** `more` is null for an id, which may be any segment. */
const replaced = (
  { cost, path, hasName }: Match,
  sent: string,
  known: string,
  more: number | null,
  isName: boolean,
): Match => {
  if (more === null) return { cost: cost + (looksLikeId.test(sent) ? 0.1 : 0.8), path: [...path, sent], hasName };
  return { cost: cost + more, path: [...path, known], hasName: hasName || (isName && more < 1) };
};

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
