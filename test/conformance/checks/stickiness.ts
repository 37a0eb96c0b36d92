import { type Findings } from '../findings.js';
import { listOf, objectsOf, type JsonObject } from '../json.js';
import { checkedRefusal, checkPersons, Question, type Checker } from '../question.js';

export const checkStickiness: Checker = async (scene, expect, findings) => {
  const question = new Question(scene);
  if (await checkedRefusal(expect, findings, () => question.send())) return;
  await checkPersons(question, expect, findings);
  if (!expect.has('series') && !expect.has('series_count')) return;
  const insight = await question.insight();
  const got = objectsOf(insight.series);
  if (expect.has('series_count')) findings.equal('series_count', expect.take('series_count'), got.length);
  if (expect.has('series')) {
    const expected = objectsOf(expect.take('series'));
    findings.equal('series, number of', expected.length, got.length);
    for (const [n, series] of expected.entries()) compareSeries(`series.${n}`, series, got[n] ?? {}, insight, findings);
  }
  await checkFirstBar(question, got[0] ?? {}, findings);
};

const compareSeries = (
  at: string,
  expected: JsonObject,
  got: JsonObject,
  { interval }: JsonObject,
  findings: Findings,
): void => {
  const want = findings.expectation(at, expected);
  // Where a case leaves points open it also leaves open how many there are: one engine has a bucket more than the other.
  const open = ['data', 'labels'].some((key) => listOf(expected[key]).includes(null));
  const asFar = (list: unknown, as: unknown) => (open ? listOf(list).slice(0, listOf(as).length) : list);
  const labels = listOf(got.days).map((n) => `${String(n)} ${String(interval)}${n === 1 ? '' : 's'}`);
  for (const key of ['label', 'count', 'compare_label'])
    if (want.has(key)) findings.asserted(`${at}.${key}`, want.take(key), got[key]);
  for (const [key, list] of Object.entries({ days: got.days, data: got.data, labels })) {
    if (!want.has(key)) continue;
    const points = want.take(key);
    findings.asserted(`${at}.${key}`, points, asFar(list, points));
  }
};

const checkFirstBar = async (question: Question, { days, data }: JsonObject, findings: Findings): Promise<void> => {
  const bar = listOf(data).findIndex((number) => number !== 0);
  if (bar < 0) return;
  const count = await question.count({ stickiness_days: listOf(days)[bar] });
  findings.equal(`persons behind ${String(listOf(days)[bar])} intervals`, listOf(data)[bar], count);
};
