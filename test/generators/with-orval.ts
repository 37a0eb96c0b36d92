import { askFunnel, createCohort, listPersons, updateCohort } from './orval/client';
import { createCohortBody, updateCohortBody } from './orval/zod';
import { required, type Outcome, type Target } from './scenario';

export const run = async ({ key, project }: Target): Promise<Outcome> => {
  const options = { headers: { authorization: `Bearer ${key}` } };
  const persons = await listPersons(project, { limit: 1 }, options);
  const definition = {
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
  };
  const behavioural = await createCohort(project, createCohortBody.parse(definition), { wait: 30 }, options);
  const list = createCohortBody.parse({ name: 'Listed', is_static: true, distinct_ids: ['ada'] });
  const listed = await createCohort(project, list, { wait: 30 }, options);
  if (persons.status !== 200 || behavioural.status !== 201 || listed.status !== 201) throw new Error('refused');
  const renamed = await updateCohort(project, listed.data.id, updateCohortBody.parse({ name: 'Renamed' }), {}, options);
  const events = [{ id: 'viewed' }, { id: 'paid' }];
  const funnel = await askFunnel(project, { events, include: 'insight' }, options);
  if (funnel.status !== 200 || renamed.status !== 200) throw new Error('refused');
  const insight = required(funnel.data.insight);
  const paid: string[] = [];
  for (let offset = 0; ; offset += 1) {
    const page = await askFunnel(project, { events, funnel_step: 2, limit: 1, offset }, options);
    if (page.status !== 200) throw new Error('refused');
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
