import createClient from 'openapi-fetch';
import type { components, paths } from './openapi-typescript';
import { required, type Outcome, type Target } from './scenario';

type Definition = components['schemas']['CohortDefinition'];

const payers: Definition = {
  properties: {
    type: 'AND',
    values: [
      { type: 'behavioral', value: 'performed_event', key: 'paid', time_value: 30, time_interval: 'day' },
      { type: 'person', key: 'plan', operator: 'is_not', value: ['free'] },
    ],
  },
};

export const misspelt: Definition = {
  properties: {
    type: 'AND',
    // @ts-expect-error a misspelt field does not compile
    values: [{ type: 'behavioral', value: 'performed_event', key: 'paid', time_valeu: 30, time_interval: 'day' }],
  },
};

export const run = async ({ baseUrl, key, project }: Target): Promise<Outcome> => {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
  const path = { project_id: project };
  const cohorts = '/api/projects/{project_id}/cohorts';
  const funnels = '/api/projects/{project_id}/persons/funnel';
  const params = { path, query: { wait: 30 } };
  const persons = await client.GET('/api/projects/{project_id}/persons', { params: { path, query: { limit: 1 } } });
  const behavioural = await client.POST(cohorts, { params, body: { name: 'Payers', filters: payers } });
  const listed = await client.POST(cohorts, {
    params,
    body: { name: 'Listed', is_static: true, distinct_ids: ['ada'] },
  });
  const { id } = required(listed.data);
  const renamed = await client.PATCH(`${cohorts}/{id}`, {
    params: { path: { ...path, id } },
    body: { name: 'Renamed' },
  });
  const events = [{ id: 'viewed' }, { id: 'paid' }];
  const funnel = await client.POST(funnels, { params: { path }, body: { events, include: 'insight' } });
  const insight = required(funnel.data?.insight);
  const paid: string[] = [];
  for (let offset = 0; ; offset += 1) {
    const body = { events, funnel_step: 2, limit: 1, offset };
    const page = required((await client.POST(funnels, { params: { path }, body })).data);
    paid.push(...required(page.results).map(({ name }) => name));
    if (page.next === null) break;
  }
  return {
    persons: required(persons.data).count,
    behavioural: required(behavioural.data).count,
    listed: required(listed.data).count,
    renamed: required(renamed.data).name,
    steps: 'steps' in insight ? insight.steps.map(({ count }) => count) : [],
    paid,
  };
};
