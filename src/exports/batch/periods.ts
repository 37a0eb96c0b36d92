export const batchIntervals = ['hour', 'day'] as const;

export type BatchInterval = (typeof batchIntervals)[number];

const msOf: Readonly<Record<BatchInterval, number>> = { hour: 3_600_000, day: 86_400_000 };

/** An hour or a day in UTC. */
export interface Period {
  readonly start: Date;
  /** The first moment after it. */
  readonly end: Date;
}

/** Events of the last moments of a period have this long to arrive in the log. */
export const closingMs = 60_000;

export const periodFrom = (start: Date, interval: BatchInterval): Period => ({
  start,
  end: new Date(start.getTime() + msOf[interval]),
});

/** The last period that has ended at a moment. */
export const lastPeriod = (at: Date, interval: BatchInterval): Period => {
  const ms = msOf[interval];
  return periodFrom(new Date((Math.floor(at.getTime() / ms) - 1) * ms), interval);
};

/** The moment from which a period may be written. */
export const closesAt = ({ end }: Period): Date => new Date(end.getTime() + closingMs);

/** The folder of a period, in the form of Hive: `dt=2026-01-08/hour=10`. */
export const folderOf = ({ start }: Period, interval: BatchInterval): string => {
  const iso = start.toISOString();
  return `dt=${iso.slice(0, 10)}${interval === 'hour' ? `/hour=${iso.slice(11, 13)}` : ''}`;
};
