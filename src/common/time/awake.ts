const ticks = 20;

/**
 * Calls back after so much time in which this process ran, and returns what cancels that. While a machine stands still the clock
 * goes on, and answers that have arrived are not read: the time is counted in ticks, and a pause counts as one of them.
 */
export const afterAwake = (ms: number, done: () => void): (() => void) => {
  let left = ticks;
  const tick = () => {
    left -= 1;
    if (left === 0) done();
    else timer = setTimeout(tick, ms / ticks).unref();
  };
  let timer = setTimeout(tick, ms / ticks).unref();
  return () => clearTimeout(timer);
};
