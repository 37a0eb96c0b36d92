import { DateTime } from 'luxon';
import { type Findings } from '../findings.js';
import { listOf, objectOf, type JsonObject } from '../json.js';
import { checkedRefusal, checkPersons, Question, type Checker } from '../question.js';
import { type Scene } from '../scene.js';

export const checkRetention: Checker = async (scene, expect, findings) => {
  const question = new Question(scene);
  if (await checkedRefusal(expect, findings, () => question.send())) return;
  await checkPersons(question, expect, findings);
  for (const key of ['appearances', 'appearances_rows'])
    if (expect.has(key)) await checkAppearances(scene, question, key, objectOf(expect.take(key)), findings);
  const asserted = ['labels', 'matrix', 'matrix_rectangular', 'first_date', 'dates'].filter((key) => expect.has(key));
  if (asserted.length === 0) return;
  const insight = await question.insight();
  const days = listOf(insight.dates);
  for (const key of asserted) {
    const want = expect.take(key);
    if (key === 'labels') findings.asserted(key, want, insight.labels);
    if (key === 'matrix') compareRows(key, listOf(want), insight, findings);
    if (key === 'matrix_rectangular') compareRows(key, triangle(listOf(want)), insight, findings);
    if (key === 'first_date') findings.equal(key, localTime(scene, insight, want), days[0]);
    if (key === 'dates') {
      const dates = listOf(want).map((date) => localTime(scene, insight, date));
      findings.equal(key, dates, days);
    }
  }
  await checkFullestRow(question, insight, findings);
};

const compareRows = (at: string, rows: readonly unknown[], { matrix }: JsonObject, findings: Findings): void => {
  const got = listOf(matrix);
  findings.equal(`${at}, number of rows`, rows.length, got.length);
  for (const [n, row] of rows.entries()) findings.asserted(`${at}.${n}`, row, got[n]);
};

/** The newer engine fills the lower right half, which lies after the range. */
const triangle = (rows: readonly unknown[]): readonly unknown[] =>
  rows.map((row, n) => listOf(row).slice(0, rows.length - n));

/** Cases give an instant, we the day or hour it begins in the project's zone. */
const localTime = ({ given }: Scene, { dates }: JsonObject, date: unknown): string => {
  const local = DateTime.fromISO(String(date), { zone: given.timezone });
  const hourly = String(listOf(dates)[0]).length > '2024-03-01'.length;
  return local.toFormat(hourly ? 'yyyy-MM-dd HH:mm:ss' : 'yyyy-MM-dd');
};

const checkAppearances = async (
  scene: Scene,
  question: Question,
  at: string,
  expected: JsonObject,
  findings: Findings,
): Promise<void> => {
  const people = await question.people();
  for (const [name, rows] of Object.entries(expected)) {
    const person = people.find((one) => scene.nameOf(one) === name);
    const got = listOf(person?.appearances).map(Number);
    if (typeof rows === 'number')
      findings.equal(
        `${at}.${name}`,
        rows,
        got.reduce((sum, one) => sum + one, 0),
      );
    else findings.asserted(`${at}.${name}`, rows, got);
  }
};

const checkFullestRow = async (question: Question, { matrix }: JsonObject, findings: Findings): Promise<void> => {
  const sizes = listOf(matrix).map((row) => Number(listOf(row)[0] ?? 0));
  const row = sizes.indexOf(Math.max(0, ...sizes));
  if (row < 0) return;
  findings.equal(`persons behind row ${row}`, sizes[row], await question.count({ selected_interval: row }));
};
