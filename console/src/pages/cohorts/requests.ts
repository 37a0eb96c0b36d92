import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { sendJson } from '../../api/client';
import { whileAway } from '../../api/query-client';
import { type Cohort } from '../../api/types';

/** How often a cohort that is being calculated is read again. */
export const pollEvery = 1500;

export const cohortAddress = (projectId: string, id: number | string): string =>
  `/api/projects/${projectId}/cohorts/${id}`;

/** Everything that is read about one cohort begins with this key. */
export const cohortKey = (projectId: string, id: number) => ['cohort', projectId, id] as const;

export const cohortQuery = (projectId: string, id: number) =>
  queryOptions({
    queryKey: [...cohortKey(projectId, id), 'record'],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/projects/{project_id}/cohorts/{id}', {
          params: { path: { project_id: projectId, id } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) =>
      state.error ? whileAway(state.error) : state.data?.is_calculating ? pollEvery : false,
  });

/** A change of a cohort. The answer, the cohort as it is then, takes the place of what was read before. */
export const useCohortChange = <Input, Answer extends Cohort = Cohort>(
  projectId: string,
  change: (input: Input) => Promise<Answer>,
  onDone?: (cohort: Answer) => void,
) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (cohort) => {
      client.setQueryData(cohortQuery(projectId, cohort.id).queryKey, cohort);
      void client.invalidateQueries({ queryKey: ['cohorts', projectId] });
      // A deleted cohort has no list of members.
      const parts = cohort.deleted
        ? ['activity']
        : ['members', 'changes', 'history', 'explanation', 'activity', 'upload'];
      for (const part of parts) void client.invalidateQueries({ queryKey: [...cohortKey(projectId, cohort.id), part] });
      onDone?.(cohort);
    },
  });
};

export interface CohortFields {
  readonly name?: string;
  readonly description?: string;
  readonly filters?: unknown;
  readonly deleted?: boolean;
}

export const patchCohort = (projectId: string, id: number, fields: CohortFields): Promise<Cohort> =>
  sendJson('PATCH', cohortAddress(projectId, id), fields);
