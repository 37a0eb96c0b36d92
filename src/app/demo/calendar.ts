const hour = 3_600_000;

/** Traffic by hour of the day and by day of the week, from Sunday, both in UTC. */
export interface Rhythm {
  readonly hours: readonly number[];
  readonly weekdays: readonly number[];
}

/** Nights are quiet in all regions of our visitors. */
const officeHours: Rhythm = {
  hours: [3, 2, 2, 2, 3, 5, 9, 15, 22, 27, 29, 29, 27, 28, 30, 29, 27, 24, 20, 17, 14, 11, 8, 5],
  weekdays: [0.45, 1, 1, 1, 1, 1, 0.45],
};

/** Returns the moment, in epoch milliseconds, at which a share (0 to 1) of a period's traffic has passed. */
export type SeedCalendar = (share: number) => number;

export const calendar = (from: number, to: number, rhythm = officeHours): SeedCalendar => {
  const starts: number[] = [];
  const passed: number[] = [];
  let sum = 0;
  for (let start = from; start < to; start = nextHour(start)) {
    starts.push(start);
    passed.push(sum);
    sum += busyness(start, rhythm) * (Math.min(nextHour(start), to) - start);
  }
  return (share) => {
    const target = share * sum;
    const at = lastNotAbove(passed, target);
    const start = starts[at] ?? from;
    return Math.min(to, start + (target - (passed[at] ?? 0)) / busyness(start, rhythm));
  };
};

const nextHour = (time: number): number => (Math.floor(time / hour) + 1) * hour;

const busyness = (time: number, { hours, weekdays }: Rhythm): number => {
  const date = new Date(time);
  return (hours[date.getUTCHours()] ?? 1) * (weekdays[date.getUTCDay()] ?? 1);
};

const lastNotAbove = (sorted: readonly number[], value: number): number => {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
};
