const hour = 3_600_000;

/** Traffic by hour of the day in UTC: nights are quiet in all regions of our visitors. */
const hours = [3, 2, 2, 2, 3, 5, 9, 15, 22, 27, 29, 29, 27, 28, 30, 29, 27, 24, 20, 17, 14, 11, 8, 5];
const weekend = 0.45;

/** Returns the moment, in epoch milliseconds, at which a share (0 to 1) of a period's traffic has passed. */
export type SeedCalendar = (share: number) => number;

export const calendar = (from: number, to: number): SeedCalendar => {
  const starts: number[] = [];
  const passed: number[] = [];
  let sum = 0;
  for (let start = from; start < to; start = nextHour(start)) {
    starts.push(start);
    passed.push(sum);
    sum += busyness(start) * (Math.min(nextHour(start), to) - start);
  }
  return (share) => {
    const target = share * sum;
    const at = lastNotAbove(passed, target);
    const start = starts[at] ?? from;
    return Math.min(to, start + (target - (passed[at] ?? 0)) / busyness(start));
  };
};

const nextHour = (time: number): number => (Math.floor(time / hour) + 1) * hour;

const busyness = (time: number): number => {
  const date = new Date(time);
  return (hours[date.getUTCHours()] ?? 1) * ([0, 6].includes(date.getUTCDay()) ? weekend : 1);
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
