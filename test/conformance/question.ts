import { type Case } from './case.js';
import { type Expectation, type Findings } from './findings.js';
import { jsonOf, type Reply } from './http.js';
import { objectOf, objectsOf, textsOf, type JsonObject } from './json.js';
import { ourParameters, rowOf } from './parameters.js';
import { type Scene } from './scene.js';

export interface Answer {
  readonly insight: JsonObject;
  readonly count: number;
  readonly people: readonly JsonObject[];
}

export type Checker = (scene: Scene, expect: Expectation, findings: Findings) => Promise<void>;

/** The service answered, but not with the status that lets us compare. */
export class WrongStatus extends Error {
  constructor(
    readonly at: string,
    readonly expected: number,
    readonly reply: Reply,
  ) {
    super(`${at} answered ${reply.status}`);
  }
}

export const demand = (at: string, expected: number, reply: Reply): unknown => {
  if (reply.status !== expected) throw new WrongStatus(at, expected, reply);
  return jsonOf(reply);
};

/** The question of a case, put to the row of its insight. */
export class Question {
  private readonly row;
  private readonly parameters: JsonObject;

  constructor(
    private readonly scene: Scene,
    more: JsonObject = {},
  ) {
    this.row = rowOf(scene.given.request.insight);
    this.parameters = { ...ourParameters(scene.given, this.row, scene.ids), ...more };
  }

  send(more: JsonObject = {}, method: 'GET' | 'POST' = this.row.method): Promise<Reply> {
    const parameters = { ...this.parameters, ...more };
    return this.scene.ask(method, this.row.path, method === 'GET' ? { query: parameters } : { body: parameters });
  }

  async answer(more: JsonObject = {}): Promise<Answer> {
    return answerOf(demand(this.row.path, 200, await this.send(more)));
  }

  async insight(): Promise<JsonObject> {
    const { insight, people, count } = await this.answer();
    if (people.length > count) throw new Error(`${people.length} persons are listed, count says ${count}`);
    return insight;
  }

  /** All persons behind the answer, at most a thousand: a case has no more. */
  async people(more: JsonObject = {}): Promise<readonly JsonObject[]> {
    const { people, count } = await this.answer({ include: 'persons', limit: 1000, ...more });
    if (people.length !== count) throw new Error(`count says ${count}, ${people.length} persons are listed`);
    return people;
  }

  async names(more: JsonObject = {}): Promise<readonly string[]> {
    return (await this.people(more)).map((person) => this.scene.nameOf(person));
  }

  async count(more: JsonObject = {}): Promise<number> {
    return (await this.answer({ include: 'persons', limit: 1, ...more })).count;
  }

  /** Sizes of the pages that a walk by `next` finds. */
  async pageSizes(): Promise<readonly number[]> {
    const sizes: number[] = [];
    let reply = await this.send({ include: 'persons' }, 'GET');
    for (;;) {
      const page = objectOf(demand('a page of persons', 200, reply));
      sizes.push(objectsOf(page.results).length);
      if (typeof page.next !== 'string' || sizes.length > 100) return sizes;
      const { pathname, search } = new URL(page.next);
      reply = await this.scene.http.ask('GET', pathname + search, { now: this.scene.now });
    }
  }
}

const answerOf = (body: unknown): Answer => {
  const { insight, count, results } = objectOf(body);
  return { insight: objectOf(insight), count: Number(count), people: objectsOf(results) };
};

/** `{"error": "validation"}`: refused as invalid, not answered with numbers. True when that is all a case expects. */
export const checkedRefusal = async (
  expect: Expectation,
  findings: Findings,
  send: () => Promise<Reply>,
): Promise<boolean> => {
  if (!expect.has('error')) return false;
  findings.equal('expect.error', 'validation', expect.take('error'));
  const reply = await send();
  findings.equal('status', 400, reply.status);
  if (reply.status === 400) findings.equal('type', 'validation_error', objectOf(jsonOf(reply)).type);
  return true;
};

/** `persons`, `persons_ordered`, `persons_count` and `page_sizes` of a question that names its point itself. */
export const checkPersons = async (question: Question, expect: Expectation, findings: Findings): Promise<void> => {
  if (Array.isArray(expect.peek('persons')))
    findings.sameSet('persons', textsOf(expect.take('persons')), await question.names());
  if (expect.has('persons_ordered'))
    findings.equal('persons_ordered', expect.take('persons_ordered'), await question.names());
  if (typeof expect.peek('persons_count') === 'number')
    findings.equal('persons_count', expect.take('persons_count'), await question.count());
  if (expect.has('page_sizes')) findings.equal('page_sizes', expect.take('page_sizes'), await question.pageSizes());
};

/** The name under which cases know a breakdown value: of a cohort its own name or ref. */
export const breakdownText = (value: unknown): string =>
  Array.isArray(value) ? value.map(breakdownText).join('::') : noValues.has(value) ? '' : scalarText(value);

const noValues = new Set<unknown>([null, undefined, '$$_posthog_breakdown_null_$$', 'None (i.e. no value)']);

const scalarText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A breakdown value of the answer; for cohorts, given by id or by name, the cohort's name, and "all users" for all. */
export const shownBreakdown = (scene: Scene, value: unknown): string => {
  const text = breakdownText(value);
  if (scene.given.request.params.breakdown_type !== 'cohort') return text;
  if (text === 'all' || text === '0') return 'all users';
  const cohort = scene.given.cohorts.find(({ ref }) => String(scene.cohortIds.get(ref)) === text);
  return cohort ? cohortName(cohort) : text;
};

const cohortName = ({ ref, body }: Case['cohorts'][number]): string =>
  typeof body.name === 'string' ? body.name : ref;

/** `breakdown_value` for the value that a case names: `c1`, `all`, `Chrome::95` or the value itself. */
export const askedBreakdown = (scene: Scene, name: string): unknown => {
  const { breakdown, breakdowns, breakdown_type: type } = scene.given.request.params;
  if (type === 'cohort') return scene.cohortIds.get(name) ?? name;
  const isSeveral = [breakdown, breakdowns].some((some) => Array.isArray(some) && some.length > 1);
  return isSeveral ? name.split('::').map((part) => scene.cohortIds.get(part) ?? part) : name;
};
