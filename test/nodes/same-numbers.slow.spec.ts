import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InsightType } from '../../src/analytics/kinds/insight-kinds.js';
import { nodeOfQuestion } from '../../src/nodes/kinds/node-of-question.js';
import { insightChecks } from '../support/insights/checks.js';
import { type Answer, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { casesFolder, familiesOf } from '../conformance/case.js';
import { Http, jsonOf, type Reply, type Sent } from '../conformance/http.js';
import { runCase } from '../conformance/run-case.js';
import { runsOf, sampleOf } from '../support/sample.js';
import { differenceOf, nodeOf, routeOf } from './as-node.js';

let service: ServiceHandle;
let compared = 0;
/** The runner of cases turns errors into findings of its own, so that those of nodes are noted here. */
const failures: string[] = [];
/** Families of cases that ask no insight. */
const withoutInsights: readonly string[] = ['cohorts', 'groups_api', 'persons_api', 'property_filters'];
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

type Fields = Readonly<Record<string, unknown>>;

const insightOf: Readonly<Record<string, InsightType>> = {
  trends: 'trends',
  funnel: 'funnel',
  'funnel/correlation': 'correlation',
  retention: 'retention',
  path: 'paths',
  stickiness: 'stickiness',
  lifecycle: 'lifecycle',
};

/** Sends the question that the route of an insight has answered again, as a node that is written here, and as the one that a saved insight shows. */
const sendAgain = async (
  path: string,
  params: Fields,
  answer: unknown,
  send: (path: string, body: object) => Promise<{ readonly status: number; readonly text: string }>,
): Promise<void> => {
  const at = routeOf(path);
  const { insight } = (answer ?? {}) as { insight?: Fields };
  if (!at || !insight) return;
  const ofPersons = ['search', 'limit', 'offset', 'format'];
  const numbersOnly = Object.fromEntries(Object.entries(params).filter(([name]) => !ofPersons.includes(name)));
  const shown = nodeOfQuestion(insightOf[at.route] ?? 'sql', numbersOnly);
  const nodes = [nodeOf(at.route, params) ?? shown, shown].filter((node) => node !== null);
  for (const node of nodes) {
    const { status, text } = await send(`${at.project}/query`, { query: node });
    const difference =
      status === 200 ? differenceOf(at.route, insight, (JSON.parse(text) as { results: unknown }).results) : text;
    if (difference !== null) failures.push(`${difference}: ${JSON.stringify(node)} of ${JSON.stringify(params)}`);
  }
  if (nodes.length === 1) failures.push(`no node stands for ${JSON.stringify(params)}`);
  if (nodes.length > 0) compared += 1;
};

const askingTwice = (): ServiceHandle => ({
  ...service,
  call: async (method, path, options = {}) => {
    const answer: Answer = await service.call(method, path, options);
    const params = { ...options.query, ...(options.body as Fields | undefined) };
    const headers = options.headers ?? {};
    if (answer.status === 200)
      await sendAgain(path, params, answer.body, (to, body) => service.call('POST', to, { body, headers }));
    return answer;
  },
});

/** The service as the cases of the reference product know it, which asks each question of an insight twice. */
class HttpTwice extends Http {
  override async ask(method: string, path: string, sent: Sent = {}): Promise<Reply> {
    const reply = await super.ask(method, path, sent);
    const { now = null, query = {} } = sent;
    const params = { ...query, ...(sent.body as Fields | undefined) };
    if (reply.status === 200)
      await sendAgain(path, params, jsonOf(reply), (to, body) => super.ask('POST', to, { body, now }));
    return reply;
  }
}

/** The question of an insight as its route and as a node, over random streams; EVERY_CASE=1 draws 2,000 questions of each. */
describe('a node', () => {
  it.each(Object.keys(insightChecks))(
    'has the numbers of the same question by its route: %s',
    async (insight) => {
      compared = 0;
      const streams = runsOf(1000, 400);
      await insightChecks[insight]?.(askingTwice(), { streams, ...(process.env.EVERY_CASE ? {} : { seed: 53 }) });
      expect(failures).toEqual([]);
      expect(compared).toBeGreaterThanOrEqual(streams);
    },
    process.env.EVERY_CASE ? 7_200_000 : 120_000,
  );

  it.each(
    familiesOf(casesFolder())
      .filter(({ name }) => !withoutInsights.includes(name))
      .map(({ name, cases }) => [name, cases] as const),
  )(
    'has them in the cases of %s, too',
    async (_, cases) => {
      const http = new HttpTwice(service.url, service.key);
      compared = 0;
      for (const given of sampleOf(cases, Math.min(16, Math.ceil(cases.length / 2)), 3)) {
        await runCase(http, given);
      }
      expect(failures).toEqual([]);
      expect(compared).toBeGreaterThan(0);
    },
    process.env.EVERY_CASE ? 1_800_000 : 120_000,
  );
});
