import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client';
import { type components } from '../../../api/schema';
import { type Cohort } from '../../../api/types';
import { cohortKey } from '../requests';

export type CohortHistory = components['schemas']['CohortHistoryDto'];
export type CohortDay = CohortHistory['results'][number];

/** The size of a cohort by day. It is read anew when its members were calculated again. */
export const historyQuery = (projectId: string, { id, version, count }: Cohort, days: number) =>
  queryOptions({
    queryKey: [...cohortKey(projectId, id), 'history', days, version, count],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/projects/{project_id}/cohorts/{id}/history', {
          params: { path: { project_id: projectId, id }, query: { days } },
          signal,
        }),
      ),
    // Before the first calculation no members are known.
    enabled: count !== null,
    placeholderData: keepPreviousData,
  });

/** How often persons entered and left on all the days. */
export const sumsOf = (days: readonly CohortDay[]): { readonly entered: number; readonly left: number } => ({
  entered: days.reduce((sum, { entered }) => sum + entered, 0),
  left: days.reduce((sum, { left }) => sum + left, 0),
});

/** The moment whose members are those of the end of the day; of today they are those of now. */
export const endOfDay = (days: readonly CohortDay[], at: number): string | undefined => days[at + 1]?.date;
