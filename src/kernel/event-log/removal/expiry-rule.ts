import { type EventExpiry } from '../../projects/event-expiry.js';

/** Selects the expired events of a project. A moment that is null: no event has expired, however old. */
export interface ExpiryRule {
  /** Events that arrived later stay, however old their timestamps are. */
  readonly receivedUpTo: Date;
  /** Events with an earlier timestamp have expired. */
  readonly before: Date | null;
  readonly beforeByName: readonly (readonly [name: string, before: Date | null])[];
}

const dayMs = 24 * 60 * 60_000;

/**
 * Events stay for a day after their arrival, so that an import of history can be looked at before the job removes what is too
 * old.
 */
export const minLifetimeMs = dayMs;

/** Ages count from one moment of a run, which for a scheduled run is the scheduled moment. */
export const expiryRuleOf = ({ days, daysByName }: EventExpiry, countedFrom: Date, receivedUpTo: Date): ExpiryRule => {
  const before = (expiry: number | null): Date | null =>
    expiry === null ? null : new Date(countedFrom.getTime() - expiry * dayMs);
  return {
    receivedUpTo,
    before: before(days),
    beforeByName: Object.entries(daysByName).map(([name, expiry]) => [name, before(expiry)] as const),
  };
};

/** The moment after which no event of any name has expired; null if no event ever does. */
export const latestExpiry = ({ before, beforeByName }: ExpiryRule): Date | null => {
  const moments = [before, ...beforeByName.map(([, of]) => of)].flatMap((moment) => (moment ? [moment.getTime()] : []));
  return moments.length === 0 ? null : new Date(Math.max(...moments));
};
