import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { placementOf, referenceTables } from '../../src/platform/postgres/citus/placements.js';
import { topology } from '../../src/platform/postgres/topology.js';
import { PgConnection } from '../../src/platform/postgres/connection.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { everyGet } from '../support/every-get.js';
import { PersonsOf } from '../support/persons.js';
import { makeFullProject } from '../support/project-deletion/full-project.js';
import { startTestService, type TestService } from '../support/service.js';
import { NodesOfStatements, reportingNodes } from '../support/statements/nodes-of.js';
import { projectsOf, type ProjectsOf } from '../support/statements/projects-of.js';
import { validBodies } from '../support/valid-bodies.js';

/** Above all of workers, which look for what is to do in all projects, or remove what is old. */
const ofAllProjects = [
  /^DELETE FROM import_jobs WHERE finished_at </,
  /^SELECT project_id, id FROM import_jobs WHERE finished_at IS NULL/,
  /^SELECT project_id, count\(\*\)::integer AS unfinished FROM import_jobs/,
  /^UPDATE cohorts SET is_calculating = true/,
  /^SELECT DISTINCT ON \(c\.project_id\) .* FROM cohorts AS c .* WHERE c\.is_calculating/,
  /^SELECT DISTINCT w\.project_id AS id FROM webhooks AS w WHERE w\.paused_at IS NULL/,
  /^SELECT d\.project_id AS "projectId", d\.webhook_id AS id/,
  /^SELECT p\.project_id AS "projectId", p\.webhook_id AS id FROM webhooks AS w JOIN webhook_positions AS p .* AND p\.next_attempt_at IS NULL/,
  /^SELECT a\.\*, .* FROM action_watches AS a WHERE \(SELECT count\(\*\)/,
  /^SELECT DISTINCT ON \(a\.project_id\) a\.\* FROM alerts AS a .* WHERE a\.next_attempt_at <=/,
  /^SELECT a\.project_id, a\.id, .* FROM \(SELECT \* FROM alert_mails WHERE next_attempt_at <= \$1 ORDER BY next_attempt_at, id LIMIT 1\) AS a/,
  /^SELECT DISTINCT ON \(s\.project_id\) s\.\*, p\.name AS project_name FROM dashboard_schedules AS s .* WHERE s\.next_attempt_at <=/,
  /^SELECT DISTINCT ON \(b\.project_id\) b\.project_id, b\.id FROM batch_exports AS b .* WHERE b\.next_attempt_at <=/,
  /^SELECT DISTINCT d\.project_id AS id FROM deletion_requests d/,
  /^SELECT DISTINCT project_id FROM event_blocks WHERE removals > 0/,
  /^SELECT DISTINCT project_id, day::text AS day FROM event_blocks WHERE archive IS NULL/,
  /^SELECT DISTINCT project_id FROM event_archives WHERE state <> 'ready'/,
  // Once a minute.
  /^SELECT project_id, id, version FROM cohorts WHERE NOT is_static AND version IS NOT NULL AND swept_version < version/,
  /^UPDATE cohort_uploads SET unmatched = '\[\]' WHERE uploaded_at </,
  /^WITH old AS \( SELECT project_id, cohort_id, id FROM cohort_changes WHERE at < .* DELETE FROM cohort_changes AS c USING old WHERE c\.project_id = old\.project_id/,
  /^DELETE FROM person_departures WHERE departed_at </,
  /^DELETE FROM webhook_deliveries AS d USING .* WHERE d\.project_id = old\.project_id/,
  /^DELETE FROM event_days WHERE day </,
  // What all projects use of their quotas, for metrics.
  /^SELECT project_id AS id, (sum|count)\(.*\) AS number FROM (event_days|cohorts|project_members) WHERE project_id = ANY \(\$1/,
  /^DELETE FROM ingestion_libraries AS l USING .* WHERE project_id = ANY/,
  // A key may have made webhooks in several projects. Once for each key that is revoked or listed.
  /^SELECT project_id, id FROM webhooks WHERE made_by_key =/,
  // Once, at the first start: whether there is anything to project.
  /^SELECT 1 FROM (events|persons) LIMIT 1$/,
  // Collecting, on Citus.
  /^SELECT max\(id\) AS last, .* FROM \( SELECT id FROM node_outbox ORDER BY id LIMIT/,
  /^WITH moved AS \( DELETE FROM node_outbox WHERE id <= /,
];

interface Sent extends ProjectsOf {
  readonly text: string;
  /** Of Citus, at most. */
  readonly nodes: number;
}

const onCitus = process.env.TEST_CITUS_WORKERS !== undefined;
if (onCitus) process.env.PGOPTIONS = reportingNodes;
const nodes = new NodesOfStatements();
const queries = jest.spyOn(PgConnection.prototype, 'query');
let service: TestService;
let sent: readonly Sent[];

beforeAll(async () => {
  service = await startTestService();
  service.app.get(Postgres).pool.on('acquire', (connection) => nodes.watch(connection));
  const { id, name } = await makeFullProject(service, 'Statements');
  const people = new PersonsOf(service, service.project.id);
  await people.make(['grace'], { plan: 'pro' });
  await service.call('POST', '/batch', {
    key: null,
    body: { api_key: service.project.api_token, batch: [{ event: 'seen', distinct_id: 'grace' }] },
  });
  for (const { ask } of await everyGet(service)) await ask();
  for (const [route, body] of Object.entries(validBodies)) await write(`/api/projects/${id}`, route, body);
  const deletion = await service.call('DELETE', `/api/projects/${id}`, { query: { confirm_name: name } });
  expect(deletion.status).toBe(202);
  sent = await readTexts();
});
afterAll(async () => {
  await service.stop();
  queries.mockRestore();
  delete process.env.PGOPTIONS;
});

/** Of a statement, or of what streams rows. */
const textOf = (question: unknown): string =>
  typeof question === 'string' ? question : (question as { text: string }).text;

const write = async (project: string, route: string, body: object): Promise<void> => {
  const [method = '', path = ''] = route.split(' ');
  const [list = ''] = path.split('/');
  const { results } = (
    path.includes('{id}') ? (await service.call('GET', `${project}/${list}`)).body : { results: [] }
  ) as { results: { id: number }[] };
  const url = `${project}/${path.replace('{id}', String(results.at(-1)?.id))}`;
  await service.call(method as 'POST', url, { body, headers: { 'Idempotency-Key': route } });
};

const readTexts = async (): Promise<Sent[]> => {
  const { rows } = await service.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'project_id'`,
  );
  const distributed = new Set(rows.map(({ name }) => name).filter((name) => placementOf(name) === 'distributed'));
  return Promise.all(
    [...new Set(queries.mock.calls.map(([question]) => textOf(question)))].map(async (text) => {
      const { unbound, namesProject } = await projectsOf(text, (table) => distributed.has(table));
      const most = nodes.most.get(topology().textToSend(text)) ?? 0;
      return { text: text.replace(/\s+/g, ' ').trim(), unbound, namesProject, nodes: most };
    }),
  );
};

const shown = (statements: readonly Sent[]): string[] =>
  statements.map(({ unbound, text }) => `${unbound.join(', ')}: ${text}`);

/** What Citus sends to all nodes, found without Citus: `npm run test:citus` reads it from the log of a coordinator. */
describe('the statements of the service', () => {
  it('that name a project name it for each of their tables', () => {
    expect(sent.filter(({ namesProject }) => namesProject).length).toBeGreaterThan(100);
    expect(shown(sent.filter(({ unbound, namesProject }) => namesProject && unbound.length > 0))).toEqual([]);
  });

  it('are about all projects only where workers look for what is to do', () => {
    const all = sent.filter(({ unbound, namesProject }) => !namesProject && unbound.length > 0);
    expect(all.length).toBeGreaterThan(0);
    expect(shown(all.filter(({ text }) => !ofAllProjects.some((known) => known.test(text))))).toEqual([]);
  });

  (onCitus ? it : it.skip)('go to one node of Citus, but for those, and changes of what all nodes have', () => {
    expect(sent.filter(({ nodes: number }) => number === 1).length).toBeGreaterThan(100);
    const changes = new RegExp(`^(?:INSERT INTO|UPDATE|DELETE FROM) "?(?:${referenceTables.join('|')})\\b`);
    const known = [...ofAllProjects, changes, /^(?:COMMIT|ROLLBACK)$/];
    const spread = sent.filter(({ nodes: number }) => number > 1);
    expect(shown(spread.filter(({ text }) => !known.some((pattern) => pattern.test(text))))).toEqual([]);
  });
});
