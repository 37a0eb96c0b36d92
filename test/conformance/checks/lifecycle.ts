import { listOf } from '../json.js';
import { checkedRefusal, checkPersons, Question, type Checker } from '../question.js';

const kinds = ['new', 'returning', 'resurrecting', 'dormant'] as const;

export const checkLifecycle: Checker = async (scene, expect, findings) => {
  const question = new Question(scene);
  if (await checkedRefusal(expect, findings, () => question.send())) return;
  await checkPersons(question, expect, findings);
  // The days follow from the range where a case says so: then they hold all the more.
  if (expect.has('days_derived')) expect.take('days_derived');
  const asserted = ['days', ...kinds].filter((key) => expect.has(key));
  if (asserted.length === 0) return;
  const insight = await question.insight();
  for (const key of asserted) findings.asserted(key, expect.take(key), insight[key]);
  for (const kind of kinds) {
    const day = listOf(insight[kind]).findIndex((number) => number !== 0);
    if (day < 0) continue;
    const point = { lifecycle_type: kind, target_date: listOf(insight.days)[day] };
    const number = Math.abs(Number(listOf(insight[kind])[day]));
    findings.equal(`persons behind ${kind} of ${String(point.target_date)}`, number, await question.count(point));
  }
};
