import { matchQuery } from '@tanstack/react-query';
import { answer, api, keyOf, type Answered } from '../../api/client';
import { queryClient, whileAway } from '../../api/query-client';
import { type Cohort, type Schemas } from '../../api/types';
import { useChange } from '../../ui/use-change';

/** The props of every part of a cohort's page. */
export interface CohortProps {
  readonly projectId: string;
  readonly cohort: Cohort;
}

/** The path parameters of the cohort's routes. */
export const pathOf = (projectId: string, { id }: Cohort) => ({ project_id: projectId, id });

/** How often a cohort that is being calculated is read again. */
export const pollEvery = 1500;

export const cohortQuery = (projectId: string, id: number) => ({
  ...answer('/api/projects/{project_id}/cohorts/{id}', { path: { project_id: projectId, id } }),
  refetchInterval: ({ state }: { readonly state: { readonly error: Error | null; readonly data?: Cohort } }) =>
    state.error ? whileAway(state.error) : state.data?.is_calculating ? pollEvery : false,
});

/** A change of a cohort. The answer, the cohort as it is then, takes the place of what was read before. */
export const useCohortChange = <Answer extends Cohort, Input = void>(
  projectId: string,
  send: (input: Input) => Promise<Answered<Answer>>,
  { onDone, hasForm = true }: { readonly onDone?: (cohort: Answer) => unknown; readonly hasForm?: boolean } = {},
) =>
  useChange(send, {
    refreshes: [],
    hasForm,
    onDone: (cohort) => {
      const { queryKey } = cohortQuery(projectId, cohort.id);
      queryClient.setQueryData(queryKey, cohort);
      const own = keyOf('/api/projects/{project_id}/cohorts/{id}');
      const activity = keyOf('/api/projects/{project_id}/cohorts/{id}/activity');
      void queryClient.invalidateQueries({
        queryKey: keyOf('/api/projects/{project_id}/cohorts'),
        predicate: (query) =>
          !matchQuery({ queryKey, exact: true }, query) &&
          // A deleted cohort has no list of members.
          !(cohort.deleted && matchQuery({ queryKey: own }, query) && !matchQuery({ queryKey: activity }, query)),
      });
      return onDone?.(cohort);
    },
  });

/** The fields of a new cohort, or of a preview, that say who can be a member: persons, or the accounts of a type. */
export const membersOf = (groupType: number | null): Pick<Schemas['CreateCohortBody'], 'actor' | 'group_type_index'> =>
  groupType === null ? {} : { actor: 'group', group_type_index: groupType };

export const patchCohort = (projectId: string, cohort: Cohort, body: Schemas['UpdateCohortBody']) =>
  api.PATCH('/api/projects/{project_id}/cohorts/{id}', { params: { path: pathOf(projectId, cohort) }, body });

export type Kind = 'dynamic' | 'static' | 'query';

export const kindOf = ({ is_static, query }: Cohort): Kind =>
  query !== null ? 'query' : is_static ? 'static' : 'dynamic';

export const kindLabels: Readonly<Record<Kind, string>> = { dynamic: 'Dynamic', static: 'Static', query: 'Query' };

export const kindMeanings: Readonly<Record<Kind, string>> = {
  dynamic: 'Members are recalculated automatically from a definition.',
  static: 'Members are a fixed list that changes only by hand.',
  query: 'Members are the result of an SQL query, which runs again only when the cohort is recalculated.',
};
