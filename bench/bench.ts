export interface Figure {
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  /** What quality demands; the direction is in the name. */
  readonly atMost?: number;
  readonly atLeast?: number;
}

export interface Bench {
  readonly name: string;
  run(): AsyncIterable<Figure>;
}

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

export const isKept = ({ value, atMost = Infinity, atLeast = -Infinity }: Figure): boolean =>
  value <= atMost && value >= atLeast;
