import { type Expectation, type Findings } from '../findings.js';
import { isObject, objectOf, objectsOf, textsOf, type JsonObject } from '../json.js';
import { askedBreakdown, checkedRefusal, checkPersons, Question, shownBreakdown, type Checker } from '../question.js';
import { type Scene } from '../scene.js';

export const checkFunnel: Checker = async (scene, expect, findings) => {
  const orderType = { funnel_strict: 'strict', funnel_unordered: 'unordered' }[scene.given.request.insight];
  const question = new Question(scene, orderType ? { funnel_order_type: orderType } : {});
  if (await checkedRefusal(expect, findings, () => question.send())) return;
  if (expect.has('steps')) await checkSteps(question, expect, findings);
  if (isObject(expect.peek('persons'))) await checkReached(question, expect, findings);
  if (isObject(expect.peek('persons_count'))) await checkReachedCounts(question, expect, findings);
  await checkPersons(question, expect, findings);
  await checkBreakdown(scene, question, expect, findings);
};

const checkSteps = async (question: Question, expect: Expectation, findings: Findings): Promise<void> => {
  const steps = objectsOf((await question.insight()).steps);
  compareSteps('steps', objectsOf(expect.take('steps')), steps, findings);
  for (const [n, { count }] of steps.entries())
    findings.equal(`persons behind step ${n + 1}`, count, await question.count({ funnel_step: n + 1 }));
};

const compareSteps = (
  at: string,
  expected: readonly JsonObject[],
  got: readonly JsonObject[],
  findings: Findings,
): void => {
  findings.equal(`${at}, number of`, expected.length, got.length);
  for (const [n, step] of expected.entries()) {
    const want = findings.expectation(`${at}.${n}`, step);
    const have = got[n] ?? {};
    for (const key of ['name', 'order', 'count'])
      if (want.has(key)) findings.asserted(`${at}.${n}.${key}`, want.take(key), have[key]);
    for (const key of ['average_conversion_time', 'median_conversion_time']) {
      if (!want.has(key)) continue;
      const time = want.take(key);
      // A null time was not asserted, but for the first step and for empty ones, which have none.
      if (time === null && (n === 0 || step.count === 0)) findings.equal(`${at}.${n}.${key}`, null, have[key] ?? null);
      else findings.asserted(`${at}.${n}.${key}`, time, have[key]);
    }
  }
};

const checkReached = async (question: Question, expect: Expectation, findings: Findings): Promise<void> => {
  for (const [step, names] of Object.entries(objectOf(expect.take('persons')))) {
    findings.sameSet(`persons.${step}`, textsOf(names), await question.names({ funnel_step: Number(step) }));
  }
};

const checkReachedCounts = async (question: Question, expect: Expectation, findings: Findings): Promise<void> => {
  for (const [step, count] of Object.entries(objectOf(expect.take('persons_count')))) {
    findings.equal(`persons_count.${step}`, count, await question.count({ funnel_step: Number(step) }));
  }
};

const checkBreakdown = async (
  scene: Scene,
  question: Question,
  expect: Expectation,
  findings: Findings,
): Promise<void> => {
  const shown = ['breakdown', 'breakdown_values', 'breakdown_count', 'steps_per_breakdown'];
  if (shown.some((key) => expect.has(key))) {
    const groups = objectsOf((await question.insight()).breakdown);
    compareGroups(scene, new Map(groups.map(({ value, steps }) => [shownBreakdown(scene, value), objectsOf(steps)])), {
      expect,
      findings,
    });
  }
  for (const key of ['persons_by_breakdown', 'persons_by_breakdown_contains']) {
    if (!expect.has(key)) continue;
    for (const [value, steps] of Object.entries(objectOf(expect.take(key)))) {
      for (const [step, names] of Object.entries(objectOf(steps))) {
        const point = { funnel_step: Number(step), breakdown_value: askedBreakdown(scene, value) };
        const got = await question.names(point);
        const at = `${key}.${value}.${step}`;
        if (key === 'persons_by_breakdown') findings.sameSet(at, textsOf(names), got);
        else findings.contains(at, textsOf(names), got);
      }
    }
  }
};

const compareGroups = (
  scene: Scene,
  groups: ReadonlyMap<string, readonly JsonObject[]>,
  { expect, findings }: { expect: Expectation; findings: Findings },
): void => {
  if (expect.has('breakdown_values'))
    findings.sameSet('breakdown_values', textsOf(expect.take('breakdown_values')), [...groups.keys()]);
  if (expect.has('steps_per_breakdown')) {
    const number = expect.take('steps_per_breakdown');
    for (const [value, steps] of groups) findings.equal(`steps of breakdown "${value}"`, number, steps.length);
  }
  if (!expect.has('breakdown')) {
    if (expect.has('breakdown_count')) findings.equal('breakdown_count', expect.take('breakdown_count'), groups.size);
    return;
  }
  const expected = Object.entries(objectOf(expect.take('breakdown')));
  // Without a number of its own the list is the whole one.
  const number = expect.has('breakdown_count') ? expect.take('breakdown_count') : expected.length;
  findings.equal('breakdown_count', number, groups.size);
  for (const [value, steps] of expected) {
    const got = groups.get(shownBreakdown(scene, scene.cohortIds.get(value) ?? value));
    if (got) compareSteps(`breakdown.${value}`, objectsOf(steps), got, findings);
    else findings.differ(`breakdown.${value}`, steps, [...groups.keys()]);
  }
};
