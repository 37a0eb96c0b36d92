// Without imports, so that test/console can run it.

interface Activity {
  readonly next: string | null;
  readonly results: readonly { readonly activity: string; readonly created_at: string }[];
}

/** A split can be undone for so long. */
const undoableDays = 90;

/**
 * True if a split of the person may be undone, by the newest entries of its activity: false only if they say that there is
 * none. After an undo there may still be one: an earlier one, or one of a person that became part of this one again.
 */
export const wasSplit = ({ next, results }: Activity, now: Date): boolean => {
  const since = new Date(now.getTime() - undoableDays * 86_400_000).toISOString();
  const recent = results.filter(({ created_at }) => created_at >= since);
  const reachesBack = next === null || recent.length < results.length;
  return !reachesBack || recent.some(({ activity }) => activity === 'split_person' || activity === 'undo_split');
};
