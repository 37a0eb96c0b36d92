import { Findings } from '../findings.js';
import { listOf, objectOf, objectsOf, textsOf, type JsonObject } from '../json.js';
import {
  askedBreakdown,
  breakdownText,
  checkedRefusal,
  checkPersons,
  Question,
  shownBreakdown,
  type Checker,
} from '../question.js';
import { type Scene } from '../scene.js';

export const checkTrends: Checker = async (scene, expect, findings) => {
  const question = new Question(scene);
  if (await checkedRefusal(expect, findings, () => question.send())) return;
  await checkPersons(question, expect, findings);
  for (const key of ['persons_by_breakdown', 'value_at_data_point'])
    if (expect.has(key)) await checkPeople(scene, question, key, objectOf(expect.take(key)), findings);
  const ordered = !expect.has('ordered') || expect.take('ordered') !== false;
  if (!expect.has('series') && !expect.has('series_count')) return;
  const insight = await question.insight();
  const got = objectsOf(insight.series);
  if (expect.has('series_count')) findings.equal('series_count', expect.take('series_count'), got.length);
  if (expect.has('series')) {
    const expected = objectsOf(expect.take('series'));
    for (const [n, series] of expected.entries()) {
      const mine = ordered ? got[n] : got.find((one) => fits(scene, series, one));
      if (mine) compareSeries(scene, `series.${n}`, series, mine, findings);
      else findings.differ(`series.${n}`, series, got.map(summary));
    }
  }
  await checkFirstPoint(scene, question, got[0] ?? {}, findings);
};

const summary = ({ label, breakdown_value, count, aggregated_value }: JsonObject): JsonObject => ({
  label,
  breakdown_value,
  count,
  aggregated_value,
});

const fits = (scene: Scene, expected: JsonObject, got: JsonObject): boolean => {
  const trial = new Findings();
  compareSeries(scene, '', expected, got, trial);
  return trial.finish().length === 0;
};

const compareSeries = (scene: Scene, at: string, expected: JsonObject, got: JsonObject, findings: Findings): void => {
  const want = findings.expectation(at, expected);
  const { tolerance } = scene.given;
  const data = listOf(got.data).map(Number);
  const days = listOf(got.days);
  const compare = (key: string, value: unknown) => {
    if (want.has(key)) findings.asserted(`${at}.${key}`, want.take(key), value, tolerance);
  };
  for (const key of ['days', 'data', 'count', 'aggregated_value', 'compare_label']) compare(key, got[key]);
  if (want.has('label'))
    findings.equal(`${at}.label`, shownLabel(scene, want.take('label')), shownLabel(scene, got.label));
  if (want.has('breakdown')) {
    const value = shownBreakdown(scene, got.breakdown_value);
    findings.equal(`${at}.breakdown`, breakdownText(want.take('breakdown')), value);
  }
  compare(
    'data_sum',
    data.reduce((sum, one) => sum + one, 0),
  );
  compare('first_day', days[0]);
  if (!want.has('data_at')) return;
  for (const [day, value] of Object.entries(objectOf(want.take('data_at')))) {
    const place = days.indexOf(day);
    findings.asserted(`${at}.data_at.${day}`, value, place < 0 ? 'no such day' : data[place], tolerance);
  }
};

/** The marker of the newest engine for a missing value, as everybody else shows it. */
const shownLabel = (scene: Scene, label: unknown): string => {
  const text = String(label).replace('$$_posthog_breakdown_null_$$', () => 'None (i.e. no value)');
  return scene.given.request.params.breakdown_type === 'cohort' ? shownBreakdown(scene, text) : text;
};

const checkPeople = async (
  scene: Scene,
  question: Question,
  key: string,
  expected: JsonObject,
  findings: Findings,
): Promise<void> => {
  for (const [value, number] of Object.entries(expected)) {
    const people = await question.people({ breakdown_value: askedBreakdown(scene, value) });
    if (key === 'persons_by_breakdown') {
      const names = people.map((person) => scene.nameOf(person));
      findings.sameSet(`${key}.${value}`, textsOf(number), names);
      // Highest value first is asserted, who comes first of equals is not.
      const values = people.map(({ value_at_data_point: number }) => Number(number));
      findings.equal(
        `${key}.${value}, in falling order`,
        [...values].sort((a, b) => b - a),
        values,
      );
    } else {
      const got = people.map((person) => [scene.nameOf(person), person.value_at_data_point]);
      findings.equal(`${key}.${value}`, number, Object.fromEntries(got) as JsonObject);
    }
  }
};

/** The number shown is that of its persons, or of their events. Where it is neither (sums, formulas), nothing to count. */
const checkFirstPoint = async (
  { given }: Scene,
  question: Question,
  { days, data }: JsonObject,
  findings: Findings,
): Promise<void> => {
  const { params } = given.request;
  const [entity = {}] = [...objectsOf(params.events), ...objectsOf(params.actions)];
  const { math = 'total' } = entity;
  if (params.formula || params.display || params.compare || params.breakdown || given.anonymous_distinct_ids) return;
  if (math !== 'total' && math !== 'dau') return;
  const point = listOf(data).findIndex((number) => number !== 0);
  if (point < 0) return;
  const people = await question.people({ series: 0, day: listOf(days)[point] });
  const events = people.reduce((sum, { value_at_data_point: number }) => sum + Number(number), 0);
  const at = `${math === 'dau' ? 'persons' : 'events of the persons'} behind ${String(listOf(days)[point])}`;
  findings.equal(at, listOf(data)[point], math === 'dau' ? people.length : events);
};
