import { batchExport } from './valid-bodies.js';
import { Routes } from '../../src/kernel/access/routes.js';
import { definitionId } from '../../src/catalogue/names/named-definitions.js';
import { type Answer } from './service-handle.js';
import { type TestService } from './service.js';

export interface RequestOfRoute {
  readonly name: string;
  readonly ask: () => Promise<Answer>;
}

const seen = JSON.stringify([{ id: 'seen' }]);

const queries: readonly (readonly [RegExp, Record<string, string>])[] = [
  [/\/funnel/, { events: JSON.stringify([{ id: 'seen' }, { id: 'seen', order: 1 }]) }],
  [/\/(?:trends|stickiness|correlation)/, { events: seen }],
  [/\/groups\/find$/, { group_type_index: '0', group_key: 'seen' }],
  [/\/groups\/related$/, { group_type_index: '0', id: 'seen' }],
  [/\/groups\/property_values$/, { group_type_index: '0', key: 'plan' }],
  [/\/events\/live$/, { max_seconds: '1' }],
];

/** Their records take a deletion, an import and another account; they are read as others are. */
const leftOut = ['members/:user_id', 'import/:id', 'deletion_requests/:id', 'property_definitions/:id', 'query/:query'];

/** Each GET of a project about records that are there. `headers` are sent with each. */
export const everyGet = async (
  service: TestService,
  headers: Readonly<Record<string, string>> = {},
): Promise<RequestOfRoute[]> => {
  const api = `/api/projects/${service.project.id}`;
  const make = async (path: string, body: object) =>
    (await service.call('POST', `${api}/${path}`, { body })).body as { id: string | number };
  const rows = async (path: string) =>
    ((await service.call('GET', `${api}/${path}`)).body as { results: { id: string; uuid: string }[] }).results;
  const [person] = await rows('persons');
  const [event] = await rows('events');
  const saved = { name: 'seen', question: { type: 'trends', params: {} } };
  const insight = await make('insights', saved);
  const threshold = { configuration: { type: 'absolute', bounds: { upper: 1 } } };
  const ids = new Map<string, string | number | undefined>([
    ['persons/:id', person?.id],
    ['events/:uuid', event?.uuid],
    ['groups/:id', (await make('groups', { group_type: 'company', group_key: 'seen' })).id],
    ['cohorts/:id', (await make('cohorts', { name: 'seen', is_static: true, person_ids: [person?.id] })).id],
    ['actions/:id', (await make('actions', { name: 'seen', steps: [{ event: 'seen' }] })).id],
    ['insights/:id', insight.id],
    ['alerts/:id', (await make('alerts', { insight: insight.id, threshold, enabled: false })).id],
    ['dashboards/:id', (await make('dashboards', { name: 'seen' })).id],
    ['annotations/:id', (await make('annotations', { content: 'seen' })).id],
    ['feature_flags/:id', (await make('feature_flags', { key: 'seen' })).id],
    ['feature_flags/:key', 'seen'],
    ['event_definitions/:id', definitionId('event', 'seen')],

    ['batch_exports/:id', (await make('batch_exports', batchExport)).id],
    ['webhooks/:id', (await make('webhooks', { url: 'https://receiver.invalid/hook', paused: true })).id],
  ]);
  const ofGroups = { name: 'seen', actor: 'group', group_type_index: 0, is_static: true, group_keys: ['seen'] };
  const { id: cohortOfGroups } = await make('cohorts', ofGroups);
  const routes = service.app.get(Routes).all();
  return routes.flatMap(({ method, path, rules }) => {
    if (method !== 'GET' || rules[0]?.kind !== 'key' || !path.includes(':project_id')) return [];
    const place = /:project_id\/(\w+\/:\w+)/.exec(path)?.[1];
    if (place !== undefined && leftOut.includes(place)) return [];
    if (place !== undefined && ids.get(place) === undefined) throw new Error(`Make a record for ${place} here`);
    const url = path
      .replace(':project_id', String(service.project.id))
      .replace(/:\w+/, String(/cohorts\/:id\/group/.test(path) ? cohortOfGroups : (ids.get(place ?? '') ?? '')));
    const query = path.endsWith('/explain')
      ? { person_id: String(person?.id) }
      : (queries.find(([pattern]) => pattern.test(path))?.[1] ?? {});
    return [{ name: path, ask: () => service.call('GET', url, { query, headers }) }];
  });
};
