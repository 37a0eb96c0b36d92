/** Dates in answers: ISO 8601, UTC, milliseconds. */
export const isoOrNull = (date: Date | null): string | null => (date === null ? null : date.toISOString());
