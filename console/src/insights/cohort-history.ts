import { keepPreviousData } from '@tanstack/react-query';
import { answer, keyOf } from '../api/client';
import { type Cohort, type Schemas } from '../api/types';

export type CohortHistory = Schemas['CohortHistoryDto'];
export type CohortDay = CohortHistory['results'][number];

const path = '/api/projects/{project_id}/cohorts/{id}/history';

/** The size of a cohort by day. It is read anew when its members were calculated again. */
export const historyQuery = (projectId: string, cohort: Cohort, days: number) => {
  const params = { path: { project_id: projectId, id: cohort.id }, query: { days } };
  return {
    ...answer(path, params),
    queryKey: keyOf(path, params, cohort.version, cohort.count),
    // Before the first calculation no members are known.
    enabled: cohort.count !== null,
    placeholderData: keepPreviousData,
  };
};

/** How often persons entered and left on all the days. */
export const sumsOf = (days: readonly CohortDay[]): { readonly entered: number; readonly left: number } => ({
  entered: days.reduce((sum, { entered }) => sum + entered, 0),
  left: days.reduce((sum, { left }) => sum + left, 0),
});

/** The moment whose members are those of the end of the day; of today they are those of now. */
export const endOfDay = (days: readonly CohortDay[], at: number): string | undefined => days[at + 1]?.date;
