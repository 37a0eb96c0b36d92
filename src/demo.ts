import { type INestApplicationContext } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { type Bootstrapped } from './auth/bootstrap.service.js';
import { progressOf } from './cli/progress.js';
import { ConfigError, type Config } from './config/config.js';
import { writeSeed } from './events/seed/write-seed.js';
import { bootstrapFile } from './first-start.js';
import { ProjectsService } from './projects/projects.service.js';
import { MemberMoves } from './persons/member-moves.js';
import { Postgres } from './stores/postgres/postgres.js';

const plan = { events: 100_000, persons: 4_000, days: 90 };

const did = (event: string, more: object = {}): object => ({
  type: 'behavioral',
  value: 'performed_event',
  key: event,
  event_type: 'events',
  time_value: 90,
  time_interval: 'day',
  ...more,
});

const cohorts = [
  { name: 'Signed up and did not pay', criteria: [did('signed up'), did('paid', { negation: true })] },
  {
    name: 'Viewed 10 reports in 30 days',
    criteria: [
      did('report viewed', {
        value: 'performed_event_multiple',
        operator: 'gte',
        operator_value: 10,
        time_value: 30,
      }),
    ],
  },
  {
    name: 'On the plan business or enterprise',
    criteria: [{ type: 'person', key: 'plan', operator: 'exact', value: ['business', 'enterprise'] }],
  },
];

/**
 * Fills an installation of its own with traffic and cohorts to look at, and returns the text that says where. A second
 * start finds everything there. The caller serves HTTP at `url` already.
 */
export const prepareDemo = async (app: INestApplicationContext, config: Config, url: string): Promise<string> => {
  const { project_id: project, personal_api_key: key } = await madeByFirstStart(app, config);
  const progress = progressOf('events', plan.events);
  const traffic = { ...plan, now: new Date() };
  await writeSeed(app.get(Postgres), project, traffic, app.get(MemberMoves), progress.show).finally(progress.end);
  const base = `${url}/api/projects/${project}`;
  const known = await call<{ results: { name: string }[] }>(key, `${base}/cohorts`);
  for (const { name, criteria } of cohorts) {
    if (known.results.some((cohort) => cohort.name === name)) continue;
    const filters = { properties: { type: 'AND', values: criteria } };
    await call(key, `${base}/cohorts`, { name, filters });
  }
  return guide(url, base, bootstrapFile(config));
};

/** Demo data must never get into a project that is in use. */
const madeByFirstStart = async (app: INestApplicationContext, config: Config): Promise<Bootstrapped> => {
  if (config.production || !config.servesApi) throw new ConfigError('The demo is for development, with ROLE=all');
  const made = await readFile(bootstrapFile(config), 'utf8').catch(() => null);
  const projects = await app.get(ProjectsService).all();
  if (made === null || projects.length !== 1 || projects[0]?.name !== 'Demo') {
    throw new ConfigError('The demo needs an installation of its own: name an empty DATA_DIR, without DATABASE_URL');
  }
  return JSON.parse(made) as Bootstrapped;
};

const call = async <T>(key: string, url: string, body?: object): Promise<T> => {
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The demo could not be prepared: ${url} answered ${answer.status} ${text}`);
  return JSON.parse(text) as T;
};

const funnel = { events: [{ id: 'signed up' }, { id: 'activated' }, { id: 'paid' }], date_from: '-90d' };

const guide = (url: string, base: string, file: string): string => `
  The demo is ready: ${plan.persons.toLocaleString('en')} persons, ${plan.events.toLocaleString('en')} events of 90 days, ${cohorts.length} cohorts.

    API docs       ${url}/docs      press Authorize and paste the key
    API key        ${file}

  To look at it from a second terminal:

    KEY=$(node -p "JSON.parse(require('fs').readFileSync('${file}')).personal_api_key")
    curl -H "Authorization: Bearer $KEY" '${base}/persons?search=ada&limit=3'
    curl -H "Authorization: Bearer $KEY" '${base}/cohorts'
    curl -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' '${base}/persons/funnel?include=insight' \\
      -d '${JSON.stringify(funnel)}'

  To start again from nothing, delete ${file.replace(/\/[^/]+$/, '')}.

`;
