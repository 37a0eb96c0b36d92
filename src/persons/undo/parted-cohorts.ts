import { type MergeRecord } from './merge-records.js';

export interface PartedCohorts {
  /** The static cohorts in which the person that comes back is. */
  readonly back: readonly number[];
  /** The static cohorts in which the other person is no longer, because it was there through that person only. */
  readonly out: readonly number[];
}

interface Parting {
  readonly root: string;
  /** The static cohorts in which the person is now. */
  readonly current: readonly number[];
  readonly leaves: (person: string) => boolean;
}

/**
 * Divides the memberships of a person. A cohort from which the person was removed since stays without both. One to which it
 * was added since keeps it, because the list named that person.
 */
export const partedCohorts = (records: readonly MergeRecord[], { root, current, leaves }: Parting): PartedCohorts => {
  const lists = new Map<string, Memberships>();
  const listOf = (person: string): Memberships => {
    const list = lists.get(person) ?? { own: new Set<number>(), ever: new Set<number>() };
    lists.set(person, list);
    return list;
  };
  for (const { survivor, merged, survivor_cohorts, merged_cohorts } of records) {
    const [into, from] = [listOf(survivor), listOf(merged)];
    notice(into, survivor_cohorts);
    notice(from, merged_cohorts);
    for (const cohort of from.ever) into.ever.add(cohort);
  }
  notice(listOf(root), current);
  const [leaving, staying] = [new Set<number>(), new Set<number>()];
  for (const [person, { own }] of lists) for (const cohort of own) (leaves(person) ? leaving : staying).add(cohort);
  return {
    back: current.filter((cohort) => leaving.has(cohort)),
    out: current.filter((cohort) => leaving.has(cohort) && !staying.has(cohort)),
  };
};

interface Memberships {
  /** Those that did not come with a merged person. */
  readonly own: Set<number>;
  readonly ever: Set<number>;
}

const notice = ({ own, ever }: Memberships, cohorts: readonly number[]): void => {
  for (const cohort of cohorts) {
    if (!ever.has(cohort)) own.add(cohort);
    ever.add(cohort);
  }
};
