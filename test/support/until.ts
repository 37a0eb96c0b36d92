import { setTimeout as sleep } from 'node:timers/promises';

interface Patience {
  readonly withinMs?: number;
  readonly everyMs?: number;
  /** The text of a wait that was too long. */
  readonly failure?: () => string;
}

/** Waits until it holds, and fails when that takes longer than `withinMs`. */
export const until = async (
  holds: () => boolean | Promise<boolean>,
  { withinMs = 20_000, everyMs = 20, failure = () => `it did not happen within ${withinMs} ms` }: Patience = {},
): Promise<void> => {
  for (const end = performance.now() + withinMs; !(await holds()); await sleep(everyMs))
    if (performance.now() > end) throw new Error(failure());
};
