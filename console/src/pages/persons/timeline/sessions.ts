// Without imports, so that test/console reads it without a browser.

/** As `sessions` of questions in SQL: a longer pause ends a session. */
const pause = 30 * 60_000;

interface Timed {
  readonly timestamp: string;
}

/** Events without a long pause, newest first. */
export interface Session<Event extends Timed> {
  readonly start: string;
  readonly end: string;
  readonly events: readonly Event[];
  /** False if older events of it may follow on the next page. */
  readonly isWhole: boolean;
}

/** Cuts events, newest first, at each long pause. */
export const sessionsOf = <Event extends Timed>(events: readonly Event[], hasMore: boolean): Session<Event>[] => {
  const groups: Event[][] = [];
  for (const event of events) {
    const group = groups.at(-1);
    const later = group?.at(-1);
    if (group && later && Date.parse(later.timestamp) - Date.parse(event.timestamp) <= pause) group.push(event);
    else groups.push([event]);
  }
  return groups.map((group, at) => ({
    start: group.at(-1)?.timestamp ?? '',
    end: group[0]?.timestamp ?? '',
    events: group,
    isWhole: !hasMore || at < groups.length - 1,
  }));
};
