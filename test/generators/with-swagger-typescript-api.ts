import { required, type Outcome, type Target } from './scenario';
import { Api } from './swagger-typescript-api/api';

export const run = async ({ baseUrl, key, project }: Target): Promise<Outcome> => {
  const { api } = new Api({ baseUrl, baseApiParams: { headers: { authorization: `Bearer ${key}` } } });
  const persons = await api.listPersons(project, { limit: 1 });
  const behavioural = await api.createCohort(
    project,
    {
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
    { wait: 30 },
  );
  const listed = await api.createCohort(
    project,
    { name: 'Listed', is_static: true, distinct_ids: ['ada'] },
    { wait: 30 },
  );
  const renamed = await api.updateCohort(project, listed.data.id, { name: 'Renamed' });
  const events = [{ id: 'viewed' }, { id: 'paid' }];
  const funnel = await api.askFunnel(project, { events, include: 'insight' });
  const insight = required(funnel.data.insight);
  const paid: string[] = [];
  for (let offset = 0; ; offset += 1) {
    const page = await api.askFunnel(project, { events, funnel_step: 2, limit: 1, offset });
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
