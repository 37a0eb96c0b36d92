import { useQuery } from '@tanstack/react-query';
import { answer } from '../api/client';
import { type Cohort } from '../api/types';
import { useProjectId } from '../address/project-context';

/** All cohorts, for pickers and names. */
export const useCohorts = (): readonly Cohort[] => {
  const projectId = useProjectId();
  const { data } = useQuery(
    answer('/api/projects/{project_id}/cohorts', { path: { project_id: projectId }, query: { limit: 1000 } }),
  );
  return data?.results ?? [];
};

export const cohortNameIn =
  (cohorts: readonly Cohort[]) =>
  (id: string | number): string =>
    cohorts.find((cohort) => cohort.id === Number(id))?.name || `Cohort ${id}`;

/** The lines of a list of cohorts; the chosen ones are in it even if they do not exist any more. */
export const cohortChoices = (cohorts: readonly Cohort[], chosen: readonly string[]) => [
  ...chosen
    .filter((id) => !cohorts.some((cohort) => String(cohort.id) === id))
    .map((id) => ({ value: id, label: `Cohort ${id}` })),
  ...cohorts.map(({ id, name }) => ({ value: String(id), label: name || `Cohort ${id}` })),
];
