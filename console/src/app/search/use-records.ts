import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answer } from '../../api/client';
import { useOpenProject } from '../../address/project-context';
import { type Hit } from './hit';

const most = 5;

/** Persons, cohorts, saved insights, dashboards and events with the text in their names. Nothing is asked about no text. */
export const useRecords = (text: string): { readonly hits: readonly Hit[]; readonly isFetching: boolean } => {
  const { project, can } = useOpenProject();
  const params = { path: { project_id: String(project.id) }, query: { search: text, limit: most } };
  const options = (scope: string) => ({ enabled: text !== '' && can(scope), placeholderData: keepPreviousData });
  const persons = useQuery({ ...answer('/api/projects/{project_id}/persons', params), ...options('person:read') });
  const cohorts = useQuery({ ...answer('/api/projects/{project_id}/cohorts', params), ...options('cohort:read') });
  const insights = useQuery({ ...answer('/api/projects/{project_id}/insights', params), ...options('insight:read') });
  const boards = useQuery({ ...answer('/api/projects/{project_id}/dashboards', params), ...options('dashboard:read') });
  const events = useQuery({
    ...answer('/api/projects/{project_id}/event_definitions', params),
    ...options('event_definition:read'),
  });
  const isFetching = [persons, cohorts, insights, boards, events].some((query) => query.isFetching);
  if (text === '') return { hits: [], isFetching: false };
  return {
    isFetching,
    hits: [
      ...(persons.data?.results ?? []).map(({ uuid, name }) => ({ group: 'Persons', name, to: `persons/${uuid}` })),
      ...(cohorts.data?.results ?? []).map(({ id, name, description }) => ({
        group: 'Cohorts',
        name: name || `Cohort ${id}`,
        hint: description,
        to: `cohorts/${id}`,
      })),
      ...(boards.data?.results ?? []).map(({ id, name, description }) => ({
        group: 'Dashboards',
        name,
        hint: description,
        to: `dashboards/${id}`,
      })),
      ...(insights.data?.results ?? []).map(({ id, name, derived_name: derived, question }) => ({
        group: 'Saved insights',
        name: name || derived,
        hint: question.type,
        to: question.type === 'sql' ? 'sql' : question.type === 'node' ? 'saved' : `insights/${question.type}`,
        search:
          question.type === 'sql'
            ? { q: question.params['query'], insight: id }
            : question.type === 'node'
              ? { shown: 'insights' }
              : { ...question.params, insight: id },
      })),
      ...(events.data?.results ?? []).map(({ name, description }) => ({
        group: 'Events',
        name,
        hint: description || 'Trend of the event',
        to: 'insights/trends',
        search: { events: [{ id: name }] },
      })),
    ],
  };
};
