// Without imports, so that test/console compares it with rates by hand.

/** Each point against the one before, as a share of that one; null where that is 0, and at a point that is not over. */
export const growthOf = (data: readonly number[], unfinished: number): (number | null)[] =>
  data.map((value, at) => {
    const before = data[at - 1];
    return before === undefined || before === 0 || at === unfinished ? null : (value - before) / Math.abs(before);
  });
