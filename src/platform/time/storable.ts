/**
 * ClickHouse's DateTime64(3) stores the years 1900 to 2299. PostgreSQL stores more, so a moment is clamped to these years
 * wherever it may reach ClickHouse.
 */
export const earliestStorable = new Date(Date.UTC(1900, 0, 1));
export const latestStorable = new Date(Date.UTC(2300, 0, 1) - 1);

const [earliestMs, latestMs] = [earliestStorable.getTime(), latestStorable.getTime()];

/** Takes milliseconds since 1970; false for NaN. */
export const isStorable = (ms: number): boolean => ms >= earliestMs && ms <= latestMs;

/** The nearest moment that can be stored. As no event is outside, a bound beyond these years means the same as this one. */
export const storable = (moment: Date): Date => new Date(storableMs(moment.getTime()));

export const storableMs = (ms: number): number => Math.min(latestMs, Math.max(earliestMs, ms));
