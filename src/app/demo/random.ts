const fraction = 2 ** 32;

/** Spreads the bits of an integer over all 32. */
const scatter = (value: number): number => {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
};

/** Combines several numbers into one of 32 bits, which depends on their order. */
export const mixed = (...values: readonly number[]): number =>
  values.reduce((sum, value) => scatter(sum ^ scatter((value + 0x9e3779b9) | 0)), 0x2545f491);

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Eight hexadecimal digits. */
export const hex = (value: number): string =>
  `${bytes[value >>> 24]}${bytes[(value >>> 16) & 255]}${bytes[(value >>> 8) & 255]}${bytes[value & 255]}`;

/** Numbers that look random and are the same for the same seed on every machine. Not for secrets. */
export class Random {
  constructor(private state: number) {}

  /** 0 to 2^32 - 1. */
  bits(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    return scatter(this.state);
  }

  /** From 0 to below 1. */
  share(): number {
    return this.bits() / fraction;
  }

  chance(probability: number): boolean {
    return this.share() < probability;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.share() * (most - least + 1));
  }

  /** Many small values and few large ones. */
  exponential(mean: number): number {
    return -Math.log(1 - this.share()) * mean;
  }

  /** Distributed like amounts and durations: half of the values are below the median, and some are far above. */
  around(median: number, spread: number): number {
    const [radius, angle] = [1 - this.share(), this.share()];
    return median * Math.exp(spread * Math.sqrt(-2 * Math.log(radius)) * Math.cos(2 * Math.PI * angle));
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.share() * items.length)] as T;
  }

  of<T>({ values, upTo }: Odds<T>): T {
    const hit = this.share() * (upTo.at(-1) ?? 0);
    return values[upTo.findIndex((limit) => hit < limit)] as T;
  }
}

export interface Odds<T> {
  readonly values: readonly T[];
  /** Running sums of the weights. */
  readonly upTo: readonly number[];
}

export const odds = <T>(weighted: readonly (readonly [value: T, weight: number])[]): Odds<T> => {
  let sum = 0;
  return { values: weighted.map(([value]) => value), upTo: weighted.map(([, weight]) => (sum += weight)) };
};

/** The n-th value is 1/n as frequent as the first. */
export const longTail = <T>(values: readonly T[]): Odds<T> => odds(values.map((value, at) => [value, 1 / (at + 1)]));
