export interface SweepLimits {
  readonly events: number;
  readonly distinctIds: number;
  /** The number of events of the log that one step searches for expired ones. */
  readonly walked: number;
}

/** A chunk keeps ClickHouse busy for less than a second, because questions wait for it. */
export const sweepLimits: SweepLimits = { events: 2000, distinctIds: 1000, walked: 20_000 };
