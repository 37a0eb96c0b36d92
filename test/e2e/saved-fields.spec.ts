import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DashboardDto } from '../../src/saved/dashboards/dashboard.dto.js';
import { type SavedInsightDto } from '../../src/saved/insights/insight.dto.js';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: PersonsOf;
beforeAll(async () => {
  service = await sharedService();
  of = new PersonsOf(service, service.project.id);
});
afterAll(() => service.stop());

const question = { type: 'trends', params: {} };

describe('the fields by which clients of the reference product know saved records', () => {
  it('are tags, in order and once each, and logged', async () => {
    const body = { name: 'Payers', question, tags: ['shop', 'money', 'shop'] };
    const made = (await of.call('POST', 'insights', { body })).body as SavedInsightDto;
    expect(made.tags).toEqual(['money', 'shop']);
    const board = (await of.call('POST', 'dashboards', { body: { name: 'Growth', tags: ['a'] } })).body as DashboardDto;
    const changed = await of.call('PATCH', `dashboards/${board.id}`, { body: { tags: null } });
    expect([board.tags, (changed.body as DashboardDto).tags]).toEqual([['a'], []]);
    const same = await of.call('PATCH', `insights/${made.id}`, { body: { tags: ['shop', 'money'] } });
    expect(same.body).toEqual(made);
    const [entry] = await of.activity('activity', { scope: 'Dashboard' });
    expect(entry?.detail.changes).toEqual([
      { type: 'Dashboard', action: 'changed', field: 'tags', before: ['a'], after: [] },
    ]);
    const tooLong = await of.call('POST', 'dashboards', { body: { name: 'x', tags: ['y'.repeat(256)] } });
    expect([tooLong.status, tooLong.body]).toMatchObject([400, { attr: 'tags' }]);
  });

  it('are marks under other names, after favourite', async () => {
    const body = { name: 'Marked', question, favorited: true };
    const made = (await of.call('POST', 'insights', { body })).body as SavedInsightDto;
    expect(made).toMatchObject({ favourite: true, favorited: true });
    const both = { favourite: false, favorited: true };
    expect((await of.call('PATCH', `insights/${made.id}`, { body: both })).body).toMatchObject({ favorited: false });
    const board = await of.call('POST', 'dashboards', { body: { name: 'Pinned', pinned: true } });
    expect(board.body).toMatchObject({ favourite: true, pinned: true });
  });

  it('are short ids of insights, which find them, and only in their project', async () => {
    const made = (await of.call('POST', 'insights', { body: { name: 'Short', question } })).body as SavedInsightDto;
    expect((await of.call('GET', `insights/${made.short_id}`)).body).toEqual(made);
    expect((await of.call('GET', 'insights', { query: { short_id: made.short_id } })).body).toMatchObject({
      count: 1,
      results: [{ id: made.id }],
    });
    expect((await of.call('GET', 'insights', { query: { short_id: 'trend' } })).body).toMatchObject({ count: 0 });
    const foreign = new PersonsOf(service, (await service.newProject()).id);
    expect((await foreign.call('GET', `insights/${made.short_id}`)).status).toBe(404);
  });

  describe('are nodes', () => {
    const trends = {
      kind: 'InsightVizNode',
      source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'paid', math: 'dau' }], interval: 'week' },
      full: true,
    };
    const meant = { type: 'trends', params: { events: [{ id: 'paid', math: 'dau', order: 0 }], interval: 'week' } };
    const save = (query: object, more: object = {}) =>
      of.call('POST', 'insights', { body: { name: 'Payers', query, ...more } });

    it('which are kept as they were sent, and answered as the question that they stand for', async () => {
      const made = (await save(trends)).body as SavedInsightDto;
      expect(made).toMatchObject({ query: trends, question: meant });
      expect((await of.call('GET', `insights/${made.id}/answer`)).status).toBe(200);
      expect((await of.call('PATCH', `insights/${made.id}`, { body: made })).body).toEqual(made);
      const sql = {
        kind: 'DataVisualizationNode',
        source: { kind: 'HogQLQuery', query: 'select count() from events' },
      };
      const changed = (await of.call('PATCH', `insights/${made.id}`, { body: { query: sql } })).body as SavedInsightDto;
      expect(changed).toMatchObject({ query: sql, question: { type: 'sql', params: { query: sql } } });
      const asQuestion = await of.call('PATCH', `insights/${made.id}`, { body: { question } });
      expect(asQuestion.body).toMatchObject({ query: null, question });
    });

    it.each([
      [{ ...trends, source: { ...trends.source, interval: 'fortnight' } }, 'query.source.interval'],
      [{ kind: 'TrendsQuery', series: [{ kind: 'ActionsNode', id: 2_000_000_000 }] }, 'query.series.0.id'],
      [{ kind: 'HogQLQuery', query: 'select nothing from nowhere' }, 'query.query'],
      [{ kind: 'DataTableNode', source: { kind: 'EventsQuery', select: ['*'] } }, 'query.source.kind'],
      [{ kind: 'SurveyQuery' }, 'query.kind'],
    ])('and refused as POST query refuses them: %j', async (query, attr) => {
      const { status, body } = await save(query);
      expect([status, body]).toMatchObject([400, { attr }]);
    });

    it('or a question, and not both or neither', async () => {
      const { body: both } = await save(trends, { question });
      expect(both).toMatchObject({ status: 400, attr: 'query' });
      const { body: none } = await of.call('POST', 'insights', { body: { name: 'Payers' } });
      expect(none).toMatchObject({ status: 400, attr: 'question' });
    });
  });
});
