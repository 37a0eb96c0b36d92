import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { bodySchemaOf } from '../support/documented.js';
import { importLines } from '../support/import.js';
import {
  requestedAt,
  insightPairs,
  pairsLines,
  pairsSettings,
  savedAction,
  savedActionText,
  savedSteps,
  type Pair,
} from '../support/insights/parameter-pairs.js';
import { sampleOf } from '../support/sample.js';
import { type Answer, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

const questions = [
  ['GET', 'funnel'],
  ['POST', 'funnel'],
  ['GET', 'funnel/correlation'],
  ['POST', 'funnel/correlation'],
  ['GET', 'lifecycle'],
  ['GET', 'path'],
  ['POST', 'path'],
  ['GET', 'retention'],
  ['GET', 'stickiness'],
  ['GET', 'trends'],
] as const;

type Question = (typeof questions)[number];
type Given = Readonly<Record<string, unknown>>;

interface Field {
  readonly enum?: readonly unknown[];
}

let service: ServiceHandle;
let document: OpenAPIObject;
let actionId: number;

beforeAll(async () => {
  service = await sharedService();
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
  const path = `/api/projects/${service.project.id}`;
  const changed = await service.call('PATCH', path, { body: pairsSettings });
  expect([changed.status, changed.body]).toEqual([200, expect.anything()]);
  const action = await service.call('POST', `${path}/actions`, { body: { name: 'X', steps: savedSteps } });
  actionId = (action.body as { id: number }).id;
  await importLines(service, service.project.id, pairsLines);
});
afterAll(() => service.stop());

const pairsOf = ([, name]: Question) => {
  const known = insightPairs[name.split('/').at(-1) ?? ''];
  if (!known) throw new Error(`no pairs of ${name}`);
  return known;
};

/** The parameters that the document has, in the query string or in the body. */
const documented = ([method, name]: Question): ReadonlyMap<string, Field> => {
  const item = document.paths[`/api/projects/{project_id}/persons/${name}`];
  const inQuery = (item?.get?.parameters ?? []) as { name: string; in: string; schema?: Field }[];
  if (method === 'GET') {
    return new Map(
      inQuery.flatMap(({ name: key, in: place, schema = {} }) => (place === 'query' ? [[key, schema]] : [])),
    );
  }
  return new Map(Object.entries(bodySchemaOf(document, item?.post).properties as Record<string, Field>));
};

/** A parameter with a single choice cannot change an answer. */
const isFixed = ({ enum: choices }: Field): boolean => choices?.length === 1;

/** The pairs do not know the id of the action. */
const withAction = (given: Given): Given => {
  const named = JSON.stringify(given)
    .replaceAll(JSON.stringify(savedAction), String(actionId))
    .replaceAll(savedActionText, String(actionId));
  return JSON.parse(named) as Given;
};

const answers = new Map<string, Promise<Answer>>();

const ask = (question: Question, input: Given): Promise<Answer> => {
  const [method, name] = question;
  const given = withAction(input);
  const key = JSON.stringify([question, given]);
  const path = `/api/projects/${service.project.id}/persons/${name}`;
  const headers = { 'X-Test-Now': requestedAt };
  const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const query = () => Object.fromEntries(Object.entries(given).map(([parameter, value]) => [parameter, textOf(value)]));
  const known =
    answers.get(key) ??
    service.call(method, path, { headers, ...(method === 'GET' ? { query: query() } : { body: given }) });
  answers.set(key, known);
  return known;
};

const head = new Set(['as_of', 'date_from', 'date_to', 'interval', 'interval_count', 'next', 'previous']);

/** The numbers and the persons, without what only repeats the question. */
const contentOf = ({ body, text, headers }: Answer): string =>
  String(headers['content-type']).includes('json')
    ? JSON.stringify(body, (key, value: unknown) => (head.has(key) ? undefined : value))
    : text;

const idsOf = ({ body }: Answer): string[] =>
  (body as { results: { id: number }[] }).results.map(({ id }) => String(id)).sort();

const idsOfCsv = ({ text }: Answer): string[] =>
  text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((row) => (row.split(',')[0] ?? '').replace(/^'/, ''))
    .sort();

const isOk = ({ status }: Answer): boolean => status === 200;

const faultOf = async (question: Question, name: string, { value, beside = {} }: Pair): Promise<string[]> => {
  const without: Given = { ...pairsOf(question).base, ...beside };
  const requests = [without, { ...without, [name]: value }];
  const [one, other] = await Promise.all(requests.map((given) => ask(question, given)));
  if (!one || !other || !isOk(one) || !isOk(other)) return [`${name}: ${one?.text} and ${other?.text}`];
  if (contentOf(one) === contentOf(other)) return [`${name}: ${JSON.stringify(value)} changes nothing`];
  // Without a list of persons there is no file.
  if (['include', 'format', 'limit', 'offset'].includes(name) || beside.include === 'insight') return [];
  const files: Answer[] = [];
  for (const given of requests) files.push(await ask(question, { ...given, format: 'csv' }));
  if (!files.every(isOk)) return [`${name}: ${files.map(({ text }) => text).join(' and ')}`];
  const [lists, rows] = [[one, other].map(idsOf), files.map(idsOfCsv)];
  return JSON.stringify(lists) === JSON.stringify(rows)
    ? []
    : [`${name}: the CSV has ${JSON.stringify(rows)}, the list ${JSON.stringify(lists)}`];
};

describe.each(questions.map((question) => [question.join(' '), question] as const))('%s', (_, question) => {
  it('has a pair of requests for each parameter of the document, and for no other', () => {
    const names = [...documented(question)].flatMap(([name, field]) => (isFixed(field) ? [] : [name]));
    expect(Object.keys(pairsOf(question).pairs).sort()).toEqual(names.sort());
  });

  it('answers both requests of a pair in different ways', async () => {
    const faults: string[] = [];
    const pairs = sampleOf(Object.entries(pairsOf(question).pairs), 3, questions.indexOf(question));
    for (const [name, pair] of pairs) {
      faults.push(...(await faultOf(question, name, pair)));
    }
    expect(faults).toEqual([]);
  });
});
