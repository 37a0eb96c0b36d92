const ticks = 20;

/**
 * Calls back after this process has run for the given time, and returns a function that cancels the call. While a machine is
 * suspended, the clock continues and answers are not read. So the time is counted in ticks, and a pause of any length counts as
 * one tick.
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
