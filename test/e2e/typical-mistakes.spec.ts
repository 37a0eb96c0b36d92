import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let foreign: { readonly id: number; readonly limitedKey: string; readonly revokedKey: string };

beforeAll(async () => {
  service = await sharedService();
  const other = await service.newProject();
  const [limited, revoked] = await Promise.all([service.newKey({ projectIds: [other.id] }), service.newKey()]);
  await service.call('DELETE', `/api/personal_api_keys/${revoked.id}`);
  foreign = { id: other.id, limitedKey: limited.text, revokedKey: revoked.text };
  await send({ path: '/batch', body: { api_key: token(), batch: [viewed, paid] } });
});
afterAll(() => service.stop());

const viewed = { event: 'viewed', distinct_id: 'ada', properties: { plan: 'pro', report: { name: 'weekly' } } };
const paid = { event: 'paid', distinct_id: 'ada', properties: { amount: 5, $set: { tier: 'gold' } } };

interface Sent {
  readonly method?: string;
  /** `{p}` is the project's id. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  /** Text and forms are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null sends no Authorization header. */
  readonly authorization?: string | null;
}

const token = (): string => service.project.api_token;
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const send = async ({ path, query = {}, body, ...more }: Sent) => {
  const url = new URL(service.url + path.replace('{p}', String(service.project.id)));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, asText(value));
  const isForm = body instanceof FormData;
  const { authorization = `Bearer ${service.key}` } = more;
  const answer = await fetch(url, {
    method: more.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...(authorization === null ? {} : { authorization }),
      ...more.headers,
    },
    body: body === undefined ? null : isForm || body instanceof Blob ? body : asText(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text ? JSON.parse(text) : {}) as Record<string, unknown> };
};

const packed = new Blob([gzipSync('{"type":"event"}\n')]);

type Mistake = readonly [mistake: string, sent: () => Sent, status: number, attr: string | null, says: RegExp];

const A = '/api/projects/{p}';
const get = (path: string, query: Sent['query'] = {}): Sent => ({ path: A + path, query });
const trends = (query: Sent['query']): Sent => get('/persons/trends', { events: [{ id: 'viewed' }], ...query });
const funnel = (body: unknown, more: Partial<Sent> = {}): Sent => ({ path: `${A}/persons/funnel`, body, ...more });
const both = { events: [{ id: 'viewed' }, { id: 'paid' }] };
const filtered = (filter: object): Sent => trends({ properties: [filter] });
const batch = (event: unknown): Sent => ({ path: '/batch', body: { api_key: token(), batch: [event] } });

const paidThisWeek = {
  type: 'behavioral',
  value: 'performed_event',
  event_type: 'events',
  key: 'paid',
  time_value: 7,
  time_interval: 'day',
};
const previewOf = (criterion: object): Sent => ({
  path: `${A}/cohorts/preview`,
  body: { filters: { properties: { type: 'AND', values: [criterion] } } },
});

const upload = (content: string | Uint8Array<ArrayBuffer>, part = 'csv'): Sent => {
  const form = new FormData();
  form.append('name', 'uploaded');
  form.append('is_static', 'true');
  form.append(part, new Blob([content]), 'members.csv');
  return { path: `${A}/cohorts`, body: form };
};

const keys: readonly Mistake[] = [
  ['no key', () => ({ ...get('/persons'), authorization: null }), 401, null, /header "Authorization: Bearer phx_…"/],
  ['no Bearer', () => ({ ...get('/persons'), authorization: service.key }), 401, null, /"Authorization: Bearer phx_…"/],
  [
    'the key in another header',
    () => ({ ...get('/persons'), authorization: null, headers: { 'x-api-key': service.key } }),
    401,
    null,
    /header "Authorization: Bearer phx_…"/,
  ],
  [
    'the key in the query',
    () => ({ ...get('/persons', { personal_api_key: service.key }), authorization: null }),
    401,
    null,
    /header "Authorization: Bearer phx_…"/,
  ],
  [
    'a project token as API key',
    () => ({ ...get('/persons'), authorization: `Bearer ${token()}` }),
    401,
    null,
    /send a personal API key \(phx_…\).*a project token \(phc_…\) only sends events/,
  ],
  [
    'a revoked key',
    () => ({ ...get('/persons'), authorization: `Bearer ${foreign.revokedKey}` }),
    401,
    null,
    /not revoked or expired/,
  ],
  [
    'a project that the key does not open',
    () => ({ ...get('/persons'), authorization: `Bearer ${foreign.limitedKey}` }),
    404,
    null,
    /is not open to this key: it opens \d+/,
  ],
  ['the name of a project', () => ({ path: '/api/projects/Test/persons' }), 404, null, /this key: it opens \d+/],
  [
    '@current with several projects',
    () => ({ path: '/api/projects/@current/persons' }),
    404,
    null,
    /the only project of a key: this one opens \d+/,
  ],
  [
    'an unknown scope',
    () => ({ path: '/api/personal_api_keys', body: { label: 'x', scopes: ['persons:read'] } }),
    400,
    'scopes',
    /one of person:read, /,
  ],
];

const places: readonly Mistake[] = [
  ['project for projects', () => ({ path: '/api/project/1' }), 404, null, /did you mean \/api\/projects\/1\?/],
  ['no prefix', () => ({ path: '/persons/' }), 404, null, /did you mean \/api\/projects\/\{project_id\}\/persons\?/],
  [
    'teams for projects',
    () => ({ path: '/api/teams/1/persons/' }),
    404,
    null,
    /did you mean \/api\/projects\/1\/persons\?/,
  ],
  ['a singular', () => get('/cohort'), 404, null, /did you mean \/api\/projects\/\d+\/cohorts\?/],
  [
    'an export of nothing',
    () => get('/export'),
    404,
    null,
    /did you mean \/api\/projects\/\d+\/export\/events or \/api\/projects\/\d+\/export\/persons or .*\/export\/groups\?/,
  ],
  ['an export below events', () => get('/events/export'), 404, null, /did you mean export\/events\?/],
  ['an export below persons', () => get('/persons/export'), 400, 'id', /did you mean export\/persons\?/],
  [
    'an insight as CSV',
    () => trends({ include: 'insight', format: 'csv' }),
    400,
    'format',
    /format=csv is for persons, and include=insight leaves them out/,
  ],
  [
    'a key without Bearer',
    () => ({ ...get('/persons'), authorization: service.key }),
    401,
    null,
    /There is no header "Authorization: Bearer phx_…": send the API key in it/,
  ],
  ['a letter too few below persons', () => get('/persons/funel'), 400, 'id', /did you mean persons\/funnel\?/],
  ['a plural below persons', () => get('/persons/retentions'), 400, 'id', /did you mean persons\/retention\?/],
  ['a singular below persons', () => get('/persons/trend'), 400, 'id', /did you mean persons\/trends\?/],
  [
    'a plural below persons, with parameters',
    () => get('/persons/paths', { include: 'insight' }),
    400,
    'id',
    /did you mean persons\/path\?/,
  ],
  [
    'a format as ending',
    () => get('/export/events.csv'),
    404,
    null,
    /did you mean \/api\/projects\/\d+\/export\/events\?format=csv\?/,
  ],
  [
    'a question to saved insights',
    () => ({ path: `${A}/insights/funnel`, body: both }),
    405,
    null,
    /persons\/trends, persons\/funnel and the like answer a question/,
  ],
  ['a guide by its name', () => ({ path: '/docs/cohorts' }), 404, null, /such as \/docs\/guides\/cohorts\.md/],
  ['a funnel beside persons', () => get('/funnel'), 404, null, /did you mean \/api\/projects\/\d+\/persons\/funnel\?/],
  ['a route of nobody', () => ({ path: '/api/integrations' }), 404, null, /\/docs lists all routes/],
  ['a part of another product', () => ({ path: '/api/experiments' }), 404, null, /Kohort has no experiments; instead/],
  [
    'a distinct id as id',
    () => get('/persons/ada'),
    400,
    'id',
    /to find one by distinct id use persons\?distinct_id=…/,
  ],
  ['a name as id of a cohort', () => get('/cohorts/buyers'), 404, null, /there is no cohort buyers/],
  [
    'a method that the route has only to refuse it',
    () => ({ ...get('/cohorts/1'), method: 'PUT', body: {} }),
    405,
    null,
    /PUT is not allowed here: use GET or PATCH$/,
  ],
  ['a funnel among insights', () => get('/insights/funnel'), 404, null, /did you mean persons\/funnel\?/],
  ['a version', () => ({ path: '/v2/cohorts' }), 404, null, /did you mean \/api\/projects\/\{project_id\}\/cohorts\?/],
  ['people for persons', () => get('/people'), 404, null, /did you mean \/api\/projects\/\d+\/persons\?/],
  ['members of a cohort', () => get('/cohorts/1/members'), 404, null, /\/cohorts\/1\/persons\?/],
  ['me for @me', () => ({ path: '/api/users/me' }), 404, null, /there is no user me: did you mean @me\?/],
  [
    'an event sent to the list',
    () => ({ ...get('/events'), body: viewed }),
    405,
    null,
    /events are sent to POST \/batch/,
  ],
  ['a person sent to the list', () => ({ ...get('/persons'), body: {} }), 405, null, /POST \/batch, or by POST import/],
  ['a funnel in the plural', () => get('/funnels'), 404, null, /\/api\/projects\/\d+\/persons\/funnel\?/],
  ['another method', () => ({ ...get('/persons/trends'), body: {} }), 405, null, /POST is not allowed here: use GET/],
];

const parameters: readonly Mistake[] = [
  [
    'a range of retention',
    () => get('/persons/retention', { date_from: '-30d' }),
    400,
    'date_from',
    /is not supported: the range is total_intervals intervals of period, up to date_to/,
  ],
  [
    'a part of a name',
    () => ({ path: '/api/personal_api_keys', body: { label: 'x', scopes: ['person:read'], projects: [1] } }),
    400,
    'projects',
    /did you mean scoped_projects\?/,
  ],
  ['a misspelt parameter', () => get('/persons', { limt: 5 }), 400, 'limt', /did you mean limit\?/],
  ['camel case', () => trends({ dateFrom: '-7d' }), 400, 'dateFrom', /did you mean date_from\?/],
  ['a limit beyond the most', () => get('/persons', { limit: 100_000 }), 400, 'limit', /an integer from 1 to 1000/],
  ['a format that does not exist', () => get('/persons', { format: 'xlsx' }), 400, 'format', /must be json or csv/],
  ['a name for a cohort', () => get('/persons', { cohort: 'buyers' }), 400, 'cohort', /must be the id of a cohort/],
  [
    'an unknown cohort',
    () => filtered({ type: 'cohort', key: 'id', value: 999_999 }),
    400,
    'properties.0.value',
    /the id of a cohort of this project: there is no cohort 999999/,
  ],
  ['text for a list', () => trends({ events: 'viewed' }), 400, 'events', /must be a list/],
  ['an interval', () => trends({ interval: 'daily' }), 400, 'interval', /one of minute, hour, day, week, month/],
  ['a period', () => get('/persons/retention', { period: 'day' }), 400, 'period', /one of Hour, Day, Week, Month/],
  [
    'an unknown operator',
    () => filtered({ key: 'plan', operator: 'equals', value: 'pro' }),
    400,
    'properties.0.operator',
    /one of exact, is_not, icontains/,
  ],
  [
    'an unknown type of filter',
    () => filtered({ key: 'plan', type: 'user', value: 'pro' }),
    400,
    'properties.0.type',
    /one of event, person, cohort/,
  ],
  [
    'an unknown action',
    () => trends({ actions: [{ id: 999_999 }] }),
    400,
    'actions.0.id',
    /the id of an action of this project: there is no action 999999/,
  ],
  [
    'an unknown function',
    () => trends({ events: [{ id: 'viewed', math: 'unique' }] }),
    400,
    'events.0.math',
    /one of total, dau/,
  ],
  [
    'a sum of nothing',
    () => trends({ events: [{ id: 'viewed', math: 'sum' }] }),
    400,
    'events.0.math_property',
    /events.0.math_property is required/,
  ],
  ['a series too many', () => trends({ formula: 'A / B' }), 400, 'formula', /there are only 1: the first is A/],
];

const bodies: readonly Mistake[] = [
  [
    'more comparisons in all filters together than a question may have',
    () => {
      const values = (from: number) => Array.from({ length: 600 }, (_, at) => `plan ${from + at}`);
      const properties = [0, 600].map((from) => ({ key: 'plan', operator: 'icontains', value: values(from) }));
      return { path: `${A}/persons/funnel`, body: { events: [{ id: 'paid' }], properties } };
    },
    400,
    'properties',
    /at most 1,000 values in filters with operators other than exact and is_not/,
  ],
  [
    'a comma missing',
    () => funnel('{"events": [{"id": "viewed"}\n {"id": "paid"}]}'),
    400,
    null,
    /at line 2, column 2 a comma or \] is expected/,
  ],
  ['a comma too many', () => funnel('{"events": [],}'), 400, null, /at line 1, column 15 a key in double quotes is/],
  [
    'single quotes',
    () => funnel("{'events': []}"),
    400,
    null,
    /at line 1, column 2 a key in double quotes is expected/,
  ],
  ["Python's None", () => funnel('{"events": None}'), 400, null, /at line 1, column 12 a value \(an object, .* null\)/],
  ['a body cut short', () => funnel('{"events": ['), 400, null, /the text ends at line 1, column 13, where a value/],
  ['JSON in JSON', () => funnel(JSON.stringify(JSON.stringify(both))), 400, null, /encode the object once, not twice/],
  [
    'another content type',
    () => funnel('events=viewed', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    415,
    null,
    /Send the body as Content-Type: application\/json/,
  ],
  [
    'a bare CSV file',
    () => ({ path: `${A}/cohorts`, body: 'distinct_id\nada', headers: { 'content-type': 'text/csv' } }),
    415,
    null,
    /application\/json, or a file as a part of multipart\/form-data/,
  ],
  ['an object for a list', () => funnel({ events: { id: 'viewed' } }), 400, 'events', /must be a list/],
  [
    'a list for an object',
    () => ({ method: 'PATCH', path: `${A}/persons/1`, body: { properties: ['pro'] } }),
    400,
    'properties',
    /must be an object of keys and values/,
  ],
  ['a number for a name', () => ({ path: '/api/projects', body: { name: 5 } }), 400, 'name', /must be text/],
  [
    'an unknown time zone',
    () => ({ path: '/api/projects', body: { name: 'x', timezone: 'Berlin' } }),
    400,
    'timezone',
    /an IANA time zone such as Europe\/Berlin/,
  ],
  [
    'a unit of time in the plural',
    () => previewOf({ ...paidThisWeek, time_interval: 'days' }),
    400,
    'filters.properties.values.0.time_interval',
    /one of minute, hour, day, week, month, year/,
  ],
  [
    'an operator for a criterion that does not count',
    () => previewOf({ ...paidThisWeek, operator: 'gte', operator_value: 3 }),
    400,
    'filters.properties.values.0.operator',
    /make value performed_event_multiple/,
  ],
  [
    'event for key',
    () => previewOf({ ...paidThisWeek, key: undefined, event: 'paid' }),
    400,
    'filters.properties.values.0.event',
    /did you mean key\?/,
  ],
  [
    'filters as a list',
    () => ({ path: `${A}/cohorts`, body: { name: 'x', filters: [{ type: 'person', key: 'plan', value: 'pro' }] } }),
    400,
    'filters',
    /an object such as \{"properties": \{"type": "AND", .* a group of criteria/,
  ],
  ['a step that is not there', () => funnel({ ...both, funnel_step: 3 }), 400, 'funnel_step', /1 to 2 .*, or -2 for/],
  ['the step before the first', () => funnel({ ...both, funnel_step: 0 }), 400, 'funnel_step', /1 to 2 .*, or -2 for/],
  [
    'steps for events',
    () => funnel({ steps: both.events }),
    400,
    'steps',
    /steps is not known: known are events, actions/,
  ],
  [
    'an event by its name',
    () => funnel({ events: [{ event: 'viewed' }] }),
    400,
    'events.0.event',
    /its keys are id, name/,
  ],
  [
    'a window with its unit',
    () => funnel({ ...both, funnel_window_interval: '14d' }),
    400,
    'funnel_window_interval',
    /an integer from 1 to/,
  ],
];

const aDate = /an ISO date that exists, such as 2024-03-01 or 2024-03-01T10:00:00Z, or relative such as -7d/;
const dates: readonly Mistake[] = [
  ['a month 13', () => trends({ date_from: '2026-13-01' }), 400, 'date_from', aDate],
  ['a 30th of February', () => trends({ date_to: '2026-02-30' }), 400, 'date_to', aDate],
  ['seconds', () => trends({ date_from: '1764000000' }), 400, 'date_from', aDate],
  ['a number without unit', () => trends({ date_from: '-7' }), 400, 'date_from', aDate],
  ['a local form', () => trends({ date_from: '22.11.2026' }), 400, 'date_from', aDate],
  [
    'a range from its end',
    () => trends({ date_from: '2026-11-10', date_to: '2026-11-01' }),
    400,
    'date_from',
    /date_from \(here 2026-11-10\) must not be later than date_to/,
  ],
  ['an hour for a date', () => get('/events', { after: '17' }), 400, 'after', /or relative such as -7d/],
  [
    'seconds of events',
    () => get('/events', { after: '1764000000' }),
    400,
    'after',
    /or 2024-03-01T10:00:00Z, or relative such as -7d/,
  ],
];

const workbook = new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8, 0, 0, 0, 33, 0]);
const files: readonly Mistake[] = [
  [
    'a packed file to import',
    () => ({ path: `${A}/import`, body: packed, headers: { 'content-type': 'application/x-ndjson' } }),
    400,
    null,
    /send Content-Encoding: gzip/,
  ],
  [
    'CSV to import',
    () => ({ path: `${A}/import`, body: 'event,distinct_id\npaid,ada\n', headers: { 'content-type': 'text/csv' } }),
    415,
    null,
    /Send NDJSON, one JSON object a line, .*; CSV cannot be imported/,
  ],
  [
    'no column of ids',
    () => upload('name,plan\nada,pro\n'),
    400,
    'csv',
    /one of them must be named person_id, distinct_id/,
  ],
  ['another separator', () => upload('distinct_id|plan\nada|pro\n'), 400, 'csv', /by comma, semicolon or tab; found/],
  [
    'a JSON array to import',
    () => ({ path: `${A}/import`, body: [viewed] }),
    415,
    null,
    /as Content-Type: application\/x-ndjson, and with Content-Encoding: gzip when it is packed$/,
  ],
  ['an empty file', () => upload(''), 400, 'csv', /csv is empty/],
  ['a workbook', () => upload(workbook), 400, 'csv', /a spreadsheet or an archive: save it as "CSV UTF-8"/],
  [
    'another encoding',
    () => upload(new Uint8Array([97, 10, 0xfc, 10])),
    400,
    'csv',
    /not UTF-8: save it as "CSV UTF-8"/,
  ],
  ['an open quote', () => upload('distinct_id\n"ada\n'), 400, 'csv', /a quote is not closed .*, line 2/],
  [
    'text in place of the file',
    () => {
      const form = new FormData();
      form.append('name', 'uploaded');
      form.append('csv', 'distinct_id\nada\n');
      return { path: `${A}/cohorts`, body: form };
    },
    400,
    'csv',
    /csv must be a file, not text: .* -F csv=@members.csv/,
  ],
  ['a part of another name', () => upload('distinct_id\nada\n', 'file'), 400, 'csv', /its only file is the part csv/],
];

const captured: readonly Mistake[] = [
  [
    'no token',
    () => ({ path: '/batch', body: { batch: [viewed] }, authorization: null }),
    401,
    'api_key',
    /send it as api_key in the body/,
  ],
  [
    'an API key as token',
    () => ({ path: '/batch', body: { api_key: service.key, batch: [viewed] } }),
    401,
    'api_key',
    /send the project token \(phc_…\)/,
  ],
  [
    'an unknown token',
    () => ({ path: '/batch', body: { api_key: 'phc_placeholder', batch: [viewed] } }),
    401,
    'api_key',
    /send the api_token of a project, as GET \/api\/projects shows it/,
  ],
  ['no distinct id', () => batch({ event: 'viewed' }), 400, 'batch.0', /distinct_id is missing, say whose event/],
  [
    'a distinct id in camel case',
    () => batch({ event: 'viewed', distinctId: 'ada' }),
    400,
    'batch.0',
    /distinct_id is missing, .*; rename the field distinctId to distinct_id/,
  ],
  [
    'a name in another field',
    () => batch({ name: 'viewed', distinct_id: 'ada' }),
    400,
    'batch.0',
    /event is missing, .*; rename the field name to event/,
  ],
  ['no name', () => batch({ distinct_id: 'ada' }), 400, 'batch.0', /event is missing, give the event a name/],
  ['properties as text', () => batch({ ...viewed, properties: 'x' }), 400, 'batch.0', /properties must be an object/],
  [
    'one event for a list',
    () => ({ ...batch({}), body: { api_key: token(), batch: viewed } }),
    400,
    'batch',
    /a list of/,
  ],
  [
    'events for batch',
    () => ({ path: '/batch', body: { api_key: token(), events: [viewed] } }),
    400,
    'batch',
    /batch is missing; "events" is not known here/,
  ],
  [
    'a comma missing in a batch',
    () => ({ path: '/batch', body: `{"api_key": "${token()}", "batch": [{"event": "a" "distinct_id": "b"}]}` }),
    400,
    null,
    /not valid JSON: at line 1, column \d+ a comma or \} is expected/,
  ],
  [
    'a batch cut short',
    () => ({ path: '/batch', body: `{"api_key": "${token()}", "batch": [{"event": "a"` }),
    400,
    null,
    /not valid JSON: the text ends at line 1, column \d+, where a comma or \} is expected/,
  ],
  [
    'a batch encoded twice',
    () => ({ path: '/batch', body: JSON.stringify(JSON.stringify({ api_key: token(), batch: [viewed] })) }),
    400,
    null,
    /encode the object once, not twice/,
  ],
  [
    'keys of JavaScript, in which no token can be found',
    () => ({ path: '/batch', body: `{api_key: "${token()}", "batch": []}` }),
    400,
    null,
    /not valid JSON: at line 1, column 2 a key in double quotes is expected/,
  ],
  [
    'one event for a list of events',
    () => trends({ events: { id: 'viewed' } }),
    400,
    'events',
    /a list, such as \[\{"id": /,
  ],
  [
    'keys of JavaScript in a parameter',
    () => trends({ events: "[{id: 'paid'}]" }),
    400,
    'events',
    /line 1, column 3 a key in/,
  ],
  ['a day that does not exist', () => trends({ date_from: '2026-02-30' }), 400, 'date_from', /an ISO date that exists/],
  [
    'a criterion without a window',
    () => ({
      path: `${A}/cohorts`,
      body: {
        name: 'No window',
        filters: {
          properties: { type: 'AND', values: [{ type: 'behavioral', value: 'performed_event', key: 'paid' }] },
        },
      },
    }),
    400,
    'filters.properties.values.0.time_interval',
    /is required: one of .*day.*, with .*time_value, or .*explicit_datetime/,
  ],
  ['XML', () => ({ path: '/batch', body: '<event/>' }), 400, null, /send \{"api_key": …, "batch": \[…\]\}/],
];

const sqlOf = (query: string): Sent => ({ path: `${A}/query`, body: { query } });
const questionsInSql: readonly Mistake[] = [
  [
    'text in double quotes',
    () => sqlOf('select count() from events where event = "order paid"'),
    400,
    'query',
    /column 42: There is no column order paid here: text is written 'order paid'; known are uuid, event/,
  ],
  [
    'a function by an abbreviation',
    () => sqlOf('select cnt() from events'),
    400,
    'query',
    /There is no function cnt: did you mean count\?/,
  ],
  [
    'a property as a column',
    () => sqlOf('select email from persons'),
    400,
    'query',
    /a property is written properties\.email, and text is written 'email'; known are id, uuid/,
  ],
  [
    'a date without quotes',
    () => sqlOf('select count() from events where timestamp >= 2026-01-31'),
    400,
    'query',
    /column 47: 2026-01-31 without quotes is a subtraction: write the date as '2026-01-31'/,
  ],
  [
    'a date with slashes without quotes',
    () => sqlOf('select count() from events where timestamp >= 2026/01/31'),
    400,
    'query',
    /2026\/01\/31 without quotes is a division: write the date as '2026-01-31'/,
  ],
  [
    'a date that begins with the day or the month',
    () => sqlOf("select count() from events where timestamp >= '08/09/2026'"),
    400,
    'query',
    /column 47: '08\/09\/2026' may begin with the day or with the month: write such a date as '2026-01-31'/,
  ],
  [
    'a day that does not exist',
    () => sqlOf("select count() from events where timestamp >= '2026-11-31'"),
    400,
    'query',
    /column 47: '2026-11-31' is not a date that exists, such as 2024-03-01/,
  ],
  [
    'the UUID of a person for its id',
    () => sqlOf("select count() from events where person_id = '82d0845a-1111-4222-8333-123456789012'"),
    400,
    'query',
    /column 34: person_id is an integer and no UUID: .* compare person.uuid with the UUID/,
  ],
  [
    'ids joined with UUIDs',
    () => sqlOf('select count() from events e join persons p on e.person_id = p.uuid'),
    400,
    'query',
    /column 48: e.person_id is an integer and no UUID/,
  ],
  [
    'a property of the person',
    () => sqlOf('select person.email from events'),
    400,
    'query',
    /did you mean person\.properties\.email\?/,
  ],
  [
    'a property that begins with a dollar',
    () => sqlOf('select $lib from events'),
    400,
    'query',
    /column 8: There is no column \$lib here: a property is written properties\.\$lib/,
  ],
  ['another statement', () => sqlOf('show tables'), 400, 'query', /SHOW TABLES is not .*; GET query\/schema lists the/],
  [
    'a table described',
    () => sqlOf('describe events'),
    400,
    'query',
    /DESCRIBE is not allowed: .* query\/schema lists/,
  ],
  ['text after IS', () => sqlOf("select 1 from events where event is 'a'"), 400, 'query', /write = or != for other/],
  ['a misspelt SELECT', () => sqlOf('selct event from events'), 400, 'query', /did you mean SELECT\?/],
  ['signs of other languages', () => sqlOf("select event = 'a' && true from events"), 400, 'query', /write AND/],
  [
    'a cast on another line',
    () => sqlOf('select event,\n  cast(event as Int32) from events'),
    400,
    'query',
    /Line 2, column 8: A text cannot be read as the type that is needed/,
  ],
  [
    'a column that is not grouped',
    () => sqlOf('select event, timestamp, count() from events group by event'),
    400,
    'query',
    /column 15: timestamp is neither in GROUP BY nor inside of an aggregate: .*, or use any\(timestamp\)/,
  ],
  [
    'a property of a sub-query that is not grouped',
    () => sqlOf('select t.plan, count() from (select properties.plan as plan, event from events) t group by t.event'),
    400,
    'query',
    /: t\.plan is neither in GROUP BY/,
  ],
];

const mistakes = { keys, paths: places, parameters, bodies, dates, files, events: captured, sql: questionsInSql };

describe.each(Object.entries(mistakes))('mistakes with %s', (_kind, table) => {
  it.each(table)('%s', async (_mistake, sent, status, attr, says) => {
    const answer = await send(sent());
    expect([answer.status, answer.body.attr, answer.body.detail]).toEqual([status, attr, expect.stringMatching(says)]);
  });
});

describe('what is a mistake elsewhere and has a meaning here', () => {
  const insightOf = async (sent: Sent): Promise<unknown> => {
    const { status, body } = await send(sent);
    expect(status).toBe(200);
    return { ...(body.insight as object), as_of: null };
  };

  it.each<readonly [string, () => Sent, () => Sent]>([
    ['7d for -7d', () => trends({ date_from: '7d' }), () => trends({ date_from: '-7d' })],
    ['names for entities', () => funnel({ events: ['viewed', 'paid'] }), () => funnel(both)],
    ['a list as text', () => funnel({ events: JSON.stringify(both.events) }), () => funnel(both)],
    [
      'properties as an object',
      () => trends({ properties: { plan: 'pro' } }),
      () => trends({ properties: [{ key: 'plan', value: 'pro' }] }),
    ],
  ])('is %s', async (_mistake, mistaken, right) => {
    expect(await insightOf(mistaken())).toEqual(await insightOf(right()));
  });

  it('is a funnel of one step, which everybody completes', async () => {
    const { steps } = (await insightOf(funnel({ events: [{ id: 'viewed' }] }))) as { steps: object[] };
    expect(steps).toEqual([expect.objectContaining({ name: 'viewed', count: 1, conversion_rate: 1 })]);
  });
});

describe('a path whose beginning is no item', () => {
  it('is answered with a warning', async () => {
    const { status, body } = await send(get('/persons/path', { start_point: 'viewd', include: 'insight' }));
    const detail = 'there is no edge of a path with the start_point viewd: a question without it shows the items';
    expect([status, body.warnings]).toEqual([200, [{ code: 'no_path', detail }]]);
  });
});

describe('a question about a property that has never arrived', () => {
  const seen = [{ id: 'viewed' }];
  it.each<readonly [string, () => Sent, string]>([
    [
      'misspelt, in a filter',
      () => trends({ properties: [{ key: 'plna', value: 'pro' }] }),
      'no event has a property named plna: did you mean plan?',
    ],
    [
      'of persons, in a filter of events',
      () => trends({ properties: [{ key: 'tier', value: 'gold' }] }),
      'no event has a property named tier: it is a property of persons, so name the type person',
    ],
    [
      'of persons, in a breakdown without its type',
      () => funnel({ ...both, breakdown: 'tier' }),
      'no event has a property named tier: it is a property of persons, so set breakdown_type to person',
    ],
    [
      'within another one',
      () => trends({ breakdown: 'report.name' }),
      'no event has a property named report.name: report is one property, and only SQL reads what is in it',
    ],
    [
      'in the math of a series',
      () => trends({ events: [{ id: 'paid', math: 'sum', math_property: 'amuont' }] }),
      'no event has a property named amuont: did you mean amount?',
    ],
    [
      'of persons, in the math of a series',
      () => trends({ events: [{ id: 'paid', math: 'sum', math_property: 'tier' }] }),
      'no event has a property named tier: it is a property of persons, and math takes properties of events',
    ],
    [
      'in a list of persons',
      () => get('/persons', { properties: [{ key: 'teir', value: 'gold', type: 'person' }] }),
      'no person has a property named teir: did you mean tier?',
    ],
    [
      'in a list of events',
      () => get('/events', { event: 'paid', properties: [{ key: 'amuont', value: 1 }] }),
      'no event has a property named amuont: did you mean amount?',
    ],
    [
      'in SQL',
      () => sqlOf("select count() from events as e where e.event = 'paid' and e.properties.amuont > 1"),
      'no event has a property named amuont: did you mean amount?',
    ],
    [
      'of persons, in SQL',
      () => sqlOf('select properties.tier, count() from events group by 1'),
      'no event has a property named tier: it is a property of persons, so write person.properties.tier',
    ],
    [
      'in a retention of persons',
      () =>
        get('/persons/retention', {
          target_entity: { id: 'viewed' },
          returning_entity: { id: 'paid' },
          properties: [{ type: 'person', key: 'teir', value: 'gold' }],
        }),
      'no person has a property named teir: did you mean tier?',
    ],
    [
      'in a cohort',
      () => previewOf({ type: 'person', key: 'country', value: 'FR' }),
      'no person has a property named country: GET catalogue/properties?kind=person lists those there are',
    ],
  ])('%s, is answered with a warning', async (_mistake, sent, detail) => {
    const { status, body } = await send(sent());
    expect([status, body.warnings]).toEqual([200, [{ code: 'unknown_property', detail }]]);
  });

  it('is one about numbers where math finds only texts, and none for numbers that were sent as text', async () => {
    const summed = (math_property: string) => send(trends({ events: [{ id: 'paid', math: 'sum', math_property }] }));
    const detail = 'no event has a number in plan, and math leaves out what is no number';
    expect((await summed('plan')).body.warnings).toEqual([{ code: 'no_number', detail }]);
    expect((await summed('amount')).body).not.toHaveProperty('warnings');
    await send(batch({ event: 'paid', distinct_id: 'ada', properties: { price: '12.5' } }));
    expect((await summed('price')).body).not.toHaveProperty('warnings');
  });

  it('has none where rows without the property pass, as they do in a filter that excludes', async () => {
    const { status, body } = await send(
      trends({ events: seen, properties: [{ key: 'bot', operator: 'is_not', value: true }] }),
    );
    expect([status, body.warnings]).toEqual([200, undefined]);
  });
});

describe('a question about an event that has never arrived', () => {
  it.each<readonly [string, () => Sent, string]>([
    [
      'misspelt, in a trend',
      () => trends({ events: [{ id: 'viewd' }, { id: 'paid' }] }),
      'no event named viewd has arrived: did you mean viewed?',
    ],
    [
      'in a funnel',
      () => funnel({ events: [{ id: 'viewed' }, { id: 'refunded' }] }),
      'no event named refunded has arrived: GET catalogue/events lists those that have',
    ],
    [
      'in retention, beside one that did',
      () => get('/persons/retention', { target_entity: { id: 'Viewed' }, returning_entity: { id: 'paid' } }),
      'no event named Viewed has arrived: did you mean viewed?',
    ],
    [
      'in a list of events',
      () => get('/events', { event: 'payd' }),
      'no event named payd has arrived: did you mean paid?',
    ],
    [
      'in SQL',
      () => sqlOf("select count() from events where event in ('paid', 'payd')"),
      'no event named payd has arrived: did you mean paid?',
    ],
    [
      'in a cohort',
      () => previewOf({ ...paidThisWeek, key: 'payd' }),
      'no event named payd has arrived: did you mean paid?',
    ],
  ])('%s, is answered with a warning', async (_mistake, sent, detail) => {
    const { status, body } = await send(sent());
    expect([status, body.warnings]).toEqual([200, [{ code: 'unknown_event', detail }]]);
  });

  it('is saved as a cohort with a warning, and its definition may be sent back with it', async () => {
    const cohort = (key: string) => {
      const criterion = { type: 'behavioral', value: 'performed_event', time_value: 7, time_interval: 'day', key };
      return { name: 'Paid', filters: { properties: { type: 'AND', values: [criterion] } } };
    };
    const made = await send({ path: `${A}/cohorts`, body: cohort('payd') });
    const warnings = [{ code: 'unknown_event', detail: 'no event named payd has arrived: did you mean paid?' }];
    expect(made).toMatchObject({ status: 201, body: { warnings } });
    const path = `${A}/cohorts/${String(made.body.id)}`;
    expect((await send({ path })).body).not.toHaveProperty('warnings');
    expect((await send({ path, method: 'PATCH', body: made.body })).body).not.toHaveProperty('warnings');
    const changed = (key: string) => send({ path, method: 'PATCH', body: { ...cohort(key), warnings } });
    expect(await changed('payed')).toMatchObject({ status: 200, body: { warnings: [{ code: 'unknown_event' }] } });
    const right = await changed('paid');
    expect([right.status, right.body.warnings]).toEqual([200, undefined]);
  });

  it('has no warning once it arrived, nor with the names that did', async () => {
    const asks = () => send(trends({ events: [{ id: 'returned' }] }));
    expect((await asks()).body.warnings).toHaveLength(1);
    await send(batch({ event: 'returned', distinct_id: 'ada' }));
    expect((await asks()).body).not.toHaveProperty('warnings');
    expect((await send(funnel(both))).body).not.toHaveProperty('warnings');
  });
});

describe('what is accepted with a warning', () => {
  it.each([
    ['a distinct id of a missing value', { ...viewed, distinct_id: 'undefined' }, /sent for many users by mistake/],
    ['an object as distinct id', { ...viewed, distinct_id: { id: 3 } }, /distinct_id must be text or a number/],
    ['a time in a local form', { ...viewed, timestamp: '22.11.2026' }, /such as 2026-01-31T10:00:00Z/],
  ])('is %s', async (_mistake, event, says) => {
    const { status, body } = await send(batch(event));
    expect([status, body.warnings]).toEqual([200, [expect.objectContaining({ detail: expect.stringMatching(says) })]]);
  });
});
