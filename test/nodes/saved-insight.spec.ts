import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { fillScene, now } from '../query/questions/scene.js';
import { event, Nodes } from './node-asking.js';

let service: ServiceHandle;
let nodes: Nodes;
beforeAll(async () => {
  service = await sharedService();
  nodes = new Nodes(service, service.project.id, now);
  await fillScene(service, service.project);
});
afterAll(() => service.stop());

const trends = { kind: 'TrendsQuery', series: [event('purchased')], dateRange: { date_from: 'all' } };

const saved = async (body: object): Promise<string> => {
  const answer = await service.call('POST', `/api/projects/${service.project.id}/insights`, { body });
  expect(answer.status).toBe(201);
  return (answer.body as { short_id: string }).short_id;
};

const named = (shortId: unknown, more: object = {}): object => ({ kind: 'SavedInsightNode', shortId, ...more });

describe('a node that names an insight', () => {
  it('is answered as the question of the insight, however that was saved', async () => {
    const { results } = await nodes.answer(trends);
    expect(results[0]?.count).toBeGreaterThan(0);
    const params = { events: [{ id: 'purchased' }], date_from: 'all' };
    for (const body of [
      { query: { kind: 'InsightVizNode', source: trends } },
      { question: { type: 'trends', params } },
    ]) {
      const node = named(await saved({ name: 'Purchases', ...body }), { full: true, showHeader: false });
      expect((await nodes.answer(node)).results).toEqual(results);
      expect((await nodes.answer({ kind: 'InsightVizNode', source: node })).results).toEqual(results);
      expect((await nodes.send({ query: node }, 'query/SavedInsightNode')).body).toMatchObject({ results });
    }
  });

  it('is answered if it is about a list or in SQL, too', async () => {
    const list = { kind: 'EventsQuery', select: ['event'], event: 'purchased', after: 'all' };
    const text = {
      kind: 'HogQLQuery',
      query: 'select count() from events where event = {name}',
      values: { name: 'purchased' },
    };
    for (const query of [list, text]) {
      const node = named(await saved({ name: 'All', query }));
      expect((await nodes.answer(node)).results).toEqual((await nodes.answer(query)).results);
    }
  });

  it('selects the persons behind a number of the insight', async () => {
    const persons = (source: object) =>
      nodes.answer({ kind: 'ActorsQuery', select: ['id'], source: { kind: 'InsightActorsQuery', source } });
    const { results } = await persons(trends);
    expect(results.length).toBeGreaterThan(1);
    expect((await persons(named(await saved({ query: trends })))).results).toEqual(results);
  });

  it('is refused with its short id, whatever is wrong with it', async () => {
    const refused = (node: object) => nodes.refusal(node);
    expect(await refused(named('aaaaaaaa'))).toEqual([
      400,
      'query.shortId',
      'query.shortId must be the short id of an insight of this project',
    ]);
    expect((await refused(named(undefined)))[1]).toBe('query.shortId');
    expect((await refused(named('x', { shortIds: 1 })))[1]).toBe('query.shortIds');
    const list = await saved({ query: { kind: 'PersonsNode' } });
    const behind = { kind: 'ActorsQuery', source: { kind: 'InsightActorsQuery', source: named(list) } };
    expect((await refused(behind))[1]).toBe('query.source.source.shortId');
    const { status, body } = await service.call('POST', `/api/projects/${service.project.id}/insights`, {
      body: { query: named(list) },
    });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ detail: expect.stringContaining('save the question itself') }),
    ]);
  });

  it('needs the scope of insights, too', async () => {
    const query = named(await saved({ query: trends }));
    for (const [scopes, status] of [
      [['query:read'], 403],
      [['query:read', 'insight:read'], 200],
    ] as const) {
      const { text } = await service.newKey({ scopes });
      expect((await nodes.send({ query }, 'query', text)).status).toBe(status);
    }
  });

  it('names no insight of another project', async () => {
    const other = await service.newProject();
    const theirs = await service.call('POST', `/api/projects/${other.id}/insights`, { body: { query: trends } });
    const shortId = (theirs.body as { short_id: string }).short_id;
    expect((await nodes.refusal(named(shortId)))[0]).toBe(400);
  });
});
