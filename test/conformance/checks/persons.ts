import { NotExpressible } from '../not-expressible.js';
import { type Expectation, type Findings } from '../findings.js';
import { jsonOf, type Reply } from '../http.js';
import { listOf, objectOf, objectsOf, textsOf, type JsonObject } from '../json.js';
import { demand, type Checker } from '../question.js';
import { type Scene } from '../scene.js';

/** Query parameters of the rows a case may name; the contract has no others. */
const known: readonly (readonly [RegExp, string])[] = [
  [
    /^persons\/?$/,
    'distinct_id email search is_identified key_identifier uuid properties cohort created_after created_before limit offset format',
  ],
  [/^persons\/cohorts\/?$/, 'person_id distinct_id limit offset format'],
  [/^persons\/values\/?$/, 'key value type limit format'],
  [/^persons\/[^/]+\/properties_timeline\/?$/, 'date_from date_to interval events properties format'],
  [/^persons\/[^/]+\/?$/, 'delete_events format'],
  [/^persons\/[^/]+\/(update_property)\/?$/, 'key value format'],
  [/^persons\/[^/]+\/(delete_property)\/?$/, '$unset format'],
  [/^cohorts\/?$/, 'search type limit offset wait'],
  [/^cohorts\/[^/]+\/persons\/?$/, 'search properties limit offset format'],
  [/^events\/?$/, 'person_id distinct_id event after before properties limit offset'],
  [/^groups\/?$/, 'group_type_index search properties group_key limit'],
  [/^groups\/find\/?$/, 'group_type_index group_key'],
  [/^groups\/related\/?$/, 'group_type_index id'],
  [/^groups\/property_values\/?$/, 'group_type_index key value'],
  [/\/activity\/?$/, 'limit offset page format'],
];

export const checkPersonsApi: Checker = async (scene, expect, findings) => {
  const { params } = scene.given.request;
  const steps = params.steps ? objectsOf(params.steps) : [params];
  const replies: Reply[] = [];
  for (const step of steps) replies.push(await sendStep(scene, step));
  if (expect.has('steps')) {
    for (const [n, step] of objectsOf(expect.take('steps')).entries()) {
      const want = findings.expectation(`steps.${n}`, step);
      const reply = replies[n];
      if (reply) checkReply(want, reply, findings);
      else findings.differ(`steps.${n}`, step, 'no such step');
    }
  }
  const last = replies.at(-1);
  if (last) checkReply(expect, last, findings, !expect.has('status') && !params.steps);
  if (last) checkListed(scene, expect, last, findings);
  await checkAfterwards(scene, expect, findings);
};

export const checkIngest: Checker = async (scene, expect, findings) => {
  for (const [n, event] of objectsOf(scene.given.request.params.capture).entries()) {
    const sent = { body: { api_key: scene.project.token, batch: [event] }, now: scene.now, withoutKey: true };
    const reply = objectOf(demand('POST /batch', 200, await scene.http.ask('POST', '/batch', sent)));
    findings.equal(`capture.${n}`, 1, reply.accepted);
  }
  if (expect.has('persons')) await comparePersons(scene, scene.project.id, 'persons', expect.take('persons'), findings);
  await checkAfterwards(scene, expect, findings);
};

const sendStep = async (scene: Scene, { method, path, query, body }: JsonObject): Promise<Reply> => {
  const filled = await withIds(scene, { path, query, body });
  const [ours, format] = ourPath(String(filled.path));
  const parameters: JsonObject = { ...objectOf(filled.query), ...format };
  const allowed = known.find(([pattern]) => pattern.test(ours))?.[1].split(' ') ?? [];
  const odd = Object.keys(parameters).find((name) => !allowed.includes(name));
  if (odd !== undefined) throw new NotExpressible(`the parameter ${odd} of ${ours} is not in the contract`);
  return scene.ask(String(method), ours, { query: parameters, ...(filled.body ? { body: filled.body } : {}) });
};

/** Singular forms and old prefixes mean ours; `.csv` asks for a format. */
const ourPath = (path: string): readonly [string, JsonObject] => {
  const rest = path.replace(/^\/?api\/((projects|environments)\/[^/]+\/)?/, '');
  const plural = rest.replace(/^(person|cohort|event)(?=[/.]|$)/, '$1s');
  const csv = /^([^?]*?)\.csv\/?$/.exec(plural);
  return csv ? [csv[1] ?? '', { format: 'csv' }] : [plural, {}];
};

/** `{uuid of X}` and `{id of X}`, wherever they stand. */
const withIds = async (scene: Scene, step: JsonObject): Promise<JsonObject> => {
  let text = JSON.stringify(step);
  for (const [place, key = '', name = ''] of text.matchAll(/\{(uuid|id) of ([^}]*)\}/g)) {
    const page = objectOf(
      demand('GET persons', 200, await scene.ask('GET', 'persons', { query: { distinct_id: name } })),
    );
    const [person] = objectsOf(page.results);
    if (!person) throw new Error(`there is no person with the distinct id ${name}`);
    text = text.replaceAll(place, String(person[key]));
  }
  return JSON.parse(text) as JsonObject;
};

const checkReply = (expect: Expectation, reply: Reply, findings: Findings, ok = false): void => {
  if (expect.has('status')) findings.equal(`${expect.at}.status`, expect.take('status'), reply.status);
  else if (ok) findings.equal(`${expect.at}.status`, 200, reply.status);
  if (expect.has('body')) findings.equal(`${expect.at}.body`, expect.take('body'), reply.text);
  if (expect.has('json')) {
    const want = expect.take('json');
    if (Array.isArray(want)) return compareList(`${expect.at}.json`, objectsOf(want), jsonOf(reply), findings);
    const { detail, ...rest } = objectOf(want);
    const got = objectOf(jsonOf(reply));
    findings.includes(`${expect.at}.json`, rest, got);
    // The wording of details is our own: it has to be there.
    if (detail !== undefined && (typeof got.detail !== 'string' || got.detail === ''))
      findings.differ(`${expect.at}.json.detail`, 'a text', got.detail);
  }
  if (expect.has('csv_lines'))
    findings.equal('csv_lines', expect.take('csv_lines'), reply.text.trim().split(/\r?\n/).length);
};

const compareList = (at: string, expected: readonly JsonObject[], got: unknown, findings: Findings): void => {
  findings.equal(`${at}, number of`, expected.length, listOf(got).length);
  for (const [n, item] of expected.entries()) findings.includes(`${at}.${n}`, item, listOf(got)[n]);
};

const checkListed = (scene: Scene, expect: Expectation, reply: Reply, findings: Findings): void => {
  const { results, count } = objectOf(jsonOf(reply));
  const listed = objectsOf(results);
  if (expect.has('persons_count')) findings.equal('persons_count', expect.take('persons_count'), count);
  if (expect.has('persons')) {
    const names = listed.map((person) => scene.nameOf(person));
    findings.equal('persons', expect.take('persons'), names);
  }
  if (expect.has('names')) {
    const names = listed.map(({ name }) => name);
    findings.equal('names', expect.take('names'), names);
  }
  if (expect.has('groups'))
    findings.equal(
      'groups',
      expect.take('groups'),
      listed.map(({ group_key: key }) => key),
    );
  if (expect.has('related')) {
    const names = objectsOf(jsonOf(reply)).map((one) => scene.nameOf(one));
    findings.sameSet('related', textsOf(expect.take('related')), names);
  }
  if (expect.has('first')) findings.includes('first', objectOf(expect.take('first')), listed[0]);
  if (expect.has('cohorts')) {
    const refs = listed.map(({ id }) => scene.given.cohorts.find(({ ref }) => scene.cohortIds.get(ref) === id)?.ref);
    findings.sameSet('cohorts', listOf(expect.take('cohorts')), refs);
  }
};

/** What is to be seen once the request is done. */
const checkAfterwards = async (scene: Scene, expect: Expectation, findings: Findings): Promise<void> => {
  const list = async (path: string) =>
    objectOf(demand(path, 200, await scene.ask('GET', path, { query: { limit: 1000 } })));
  if (expect.has('persons_left'))
    findings.equal('persons_left', expect.take('persons_left'), (await list('persons')).count);
  if (expect.has('events_count'))
    findings.equal('events_count', expect.take('events_count'), (await list('events')).count);
  if (expect.has('event_deletion_scheduled')) {
    const { count } = await list('deletion_requests');
    findings.equal('event_deletion_scheduled', expect.take('event_deletion_scheduled'), Number(count) > 0);
  }
  if (expect.has('captured_events')) {
    const mine = new Set(scene.eventUuids);
    const events = objectsOf((await list('events')).results).filter(({ uuid }) => !mine.has(String(uuid)));
    const expected = objectsOf(expect.take('captured_events'));
    findings.equal('captured_events, number of', expected.length, events.length);
    for (const [n, event] of expected.entries())
      findings.includes(
        `captured_events.${n}`,
        event,
        events.find((one) => one.event === event.event),
      );
  }
  if (expect.has('other_team_persons') && scene.otherProject)
    await comparePersons(
      scene,
      scene.otherProject.id,
      'other_team_persons',
      expect.take('other_team_persons'),
      findings,
    );
};

/** The whole state: every person with all its distinct ids, and its properties where the case says them. */
const comparePersons = async (
  scene: Scene,
  projectId: number,
  at: string,
  expected: unknown,
  findings: Findings,
): Promise<void> => {
  const path = `/api/projects/${projectId}/persons`;
  const reply = await scene.http.ask('GET', path, { query: { limit: 1000 }, now: scene.now });
  const got = objectsOf(objectOf(demand('GET persons', 200, reply)).results);
  const idsOf = ({ distinct_ids: ids }: JsonObject) => [...textsOf(ids)].sort().join(', ');
  findings.sameSet(`${at}, by distinct ids`, objectsOf(expected).map(idsOf), got.map(idsOf));
  for (const person of objectsOf(expected)) {
    const want = findings.expectation(`${at} ${idsOf(person)}`, person);
    want.take('distinct_ids');
    const same = got.find((other) => idsOf(other) === idsOf(person));
    for (const key of ['properties', 'is_identified'])
      if (want.has(key)) findings.equal(`${want.at}.${key}`, want.take(key), same?.[key]);
  }
};
