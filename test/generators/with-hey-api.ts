import { askFunnel, createCohort, listPersons, updateCohort } from './hey-api';
import { createClient } from './hey-api/client';
import { required, type Outcome, type Target } from './scenario';

export const run = async ({ baseUrl, key, project }: Target): Promise<Outcome> => {
  const client = createClient({ baseUrl, auth: key });
  const path = { project_id: project };
  const options = { client, path, throwOnError: true as const };
  const persons = await listPersons({ ...options, query: { limit: 1 } });
  const behavioural = await createCohort({
    ...options,
    query: { wait: 30 },
    body: {
      name: 'Payers',
      filters: {
        properties: {
          type: 'AND',
          values: [
            { type: 'behavioral', value: 'performed_event', key: 'paid', time_value: 30, time_interval: 'day' },
            { type: 'person', key: 'plan', operator: 'is_not', value: ['free'] },
          ],
        },
      },
    },
  });
  const listed = await createCohort({
    ...options,
    query: { wait: 30 },
    body: { name: 'Listed', is_static: true, distinct_ids: ['ada'] },
  });
  const renamed = await updateCohort({ ...options, path: { ...path, id: listed.data.id }, body: { name: 'Renamed' } });
  const events = [{ id: 'viewed' }, { id: 'paid' }];
  const funnel = await askFunnel({ ...options, body: { events, include: 'insight' } });
  const insight = required(funnel.data.insight);
  const paid: string[] = [];
  for (let offset = 0; ; offset += 1) {
    const page = await askFunnel({ ...options, body: { events, funnel_step: 2, limit: 1, offset } });
    paid.push(...required(page.data.results).map(({ name }) => name));
    if (page.data.next === null) break;
  }
  return {
    persons: persons.data.count,
    behavioural: behavioural.data.count,
    listed: listed.data.count,
    renamed: renamed.data.name,
    steps: 'steps' in insight ? insight.steps.map(({ count }) => count) : [],
    paid,
  };
};
