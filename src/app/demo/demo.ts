import { type INestApplicationContext } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { type Bootstrapped } from '../start/bootstrap.service.js';
import { progressOf } from '../start/progress.js';
import { type Config, ConfigError } from '../../platform/config/config.js';
import { shopEvents } from './shop/shop-events.js';
import { writeSeed } from './write-seed.js';
import { bootstrapFile, consoleLines, signInLink } from '../start/first-start.js';
import { ProjectsService } from '../../projects/projects.service.js';
import { MovedMembers } from '../../kernel/memberships/moved-members.js';
import { Postgres } from '../../platform/postgres/postgres.js';

/** A period, in days, that has all events of the demo. */
const ever = 90;

const did = (event: string, days: number, more: object = {}): object => ({
  type: 'behavioral',
  value: 'performed_event',
  key: event,
  event_type: 'events',
  time_value: days,
  time_interval: 'day',
  ...more,
});

interface DemoCohort {
  readonly name: string;
  readonly description: string;
  readonly criteria: readonly object[];
}

export const demoCohorts: readonly DemoCohort[] = [
  {
    name: 'Frequent customers',
    description: 'Three orders or more in the last 30 days.',
    criteria: [did('order paid', 30, { value: 'performed_event_multiple', operator: 'gte', operator_value: 3 })],
  },
  {
    name: 'Abandoned carts',
    description: 'Put something into the cart in the last 7 days and paid no order in that time.',
    criteria: [did('product added', 7), did('order paid', 7, { negation: true })],
  },
  {
    name: 'Readers who never bought',
    description: 'Opened a newsletter in the last 30 days and never paid an order.',
    criteria: [did('newsletter opened', 30), did('order paid', ever, { negation: true })],
  },
];

const demoFunnel = {
  events: [{ id: 'product viewed' }, { id: 'product added' }, { id: 'checkout started' }, { id: 'order paid' }],
  date_from: `-${ever}d`,
};

const plan = { events: 100_000, days: 90 };
/** Long enough for the projection to take in all events on a slow machine, several times. */
const patienceMs = 120_000;
const secondsPerWait = 10;

/**
 * Fills an installation of its own with the traffic of an online shop and with cohorts to look at. Returns the text that says
 * where they are. A second start finds everything there. The caller serves HTTP at `url` already.
 */
export const prepareDemo = async (
  app: INestApplicationContext,
  config: Config,
  url: string,
  say: (step: string) => void,
): Promise<string> => {
  const { project_id: project, personal_api_key: key } = await madeByFirstStart(app, config);
  say(
    `the demo is being prepared, which takes a minute or two: 1 of 3, ${plan.events.toLocaleString('en')} events of an online shop are written`,
  );
  const progress = progressOf('events', plan.events);
  const now = new Date();
  const traffic = { events: await shopEvents({ ...plan, now }), now };
  await writeSeed(app.get(Postgres), project, traffic, app.get(MovedMembers), progress.show).finally(progress.end);
  const demo = new Demo(key, `${url}/api/projects/${project}`);
  say('2 of 3, the events are copied to where questions read them');
  await demo.projected();
  say('3 of 3, the cohorts are calculated');
  const cohorts = await demo.cohorts();
  const link = await signInLink(app, config, url);
  const consoleAt = consoleLines(config, url, link);
  return guide({ url, base: demo.base, file: bootstrapFile(config), consoleAt }, await demo.persons(), cohorts);
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

interface CohortOfDemo {
  readonly id: number;
  readonly name: string;
  readonly count: number | null;
  readonly is_calculating: boolean;
}

/** Asks the running service over HTTP, as its users do. */
class Demo {
  constructor(
    private readonly key: string,
    readonly base: string,
  ) {}

  async persons(): Promise<number> {
    return (await this.call<{ count: number }>('/persons?limit=1')).count;
  }

  /** Cohorts that are calculated before all events have arrived in the projection would have too few members. */
  async projected(): Promise<void> {
    await until(async () => (await this.call<{ count: number }>('/events?limit=1')).count >= plan.events);
  }

  /** Makes the cohorts that are missing, and returns all of them once they are calculated. */
  async cohorts(): Promise<readonly CohortOfDemo[]> {
    const known = await this.listed();
    for (const { name, description, criteria } of demoCohorts) {
      if (known.some((cohort) => cohort.name === name)) continue;
      const filters = { properties: { type: 'AND', values: criteria } };
      await this.call(`/cohorts?wait=${secondsPerWait}`, { name, description, filters });
    }
    await until(async () => (await this.listed()).every((cohort) => !cohort.is_calculating));
    return this.listed();
  }

  private async listed(): Promise<readonly CohortOfDemo[]> {
    return (await this.call<{ results: CohortOfDemo[] }>('/cohorts')).results;
  }

  private async call<T>(path: string, body?: object): Promise<T> {
    const answer = await fetch(this.base + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The demo could not be prepared: ${path} answered ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  }
}

const until = async (isTrue: () => Promise<boolean>): Promise<void> => {
  const end = Date.now() + patienceMs;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('The demo could not be prepared: the service is too far behind');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};

interface Addresses {
  readonly url: string;
  readonly base: string;
  readonly file: string;
  /** The lines about the console; empty without one. */
  readonly consoleAt: string;
}

const guide = (
  { url, base, file, consoleAt }: Addresses,
  persons: number,
  cohorts: readonly CohortOfDemo[],
): string => `
  The demo is ready: an online shop with ${plan.events.toLocaleString('en')} events of ${persons.toLocaleString('en')} persons in ${plan.days} days, and these cohorts:

${cohorts.map(({ id, name, count }) => `    ${String(id).padStart(3)}  ${name}: ${(count ?? 0).toLocaleString('en')} persons`).join('\n')}

${consoleAt}    API docs       ${url}/docs      press Authorize and paste the key
    API key        ${file}

  To look at it from a second terminal:

    KEY=$(node -p "JSON.parse(require('fs').readFileSync('${file}')).personal_api_key")
    curl -H "Authorization: Bearer $KEY" '${base}/persons?search=ada&limit=3'
    curl -H "Authorization: Bearer $KEY" '${base}/cohorts/${cohorts[0]?.id ?? 1}/persons?limit=3'
    curl -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' '${base}/persons/funnel?include=insight' \\
      -d '${JSON.stringify(demoFunnel)}'

  To start again from nothing, delete ${file.replace(/\/[^/]+$/, '')}.

`;
