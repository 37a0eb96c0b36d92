import { objectsOf, type JsonObject } from '../json.js';
import { breakdownText, checkedRefusal, checkPersons, Question, type Checker } from '../question.js';

const tolerance = 1e-7;

export const checkCorrelation: Checker = async (scene, expect, findings) => {
  const question = new Question(scene);
  if (await checkedRefusal(expect, findings, () => question.send())) return;
  if (expect.has('events')) {
    const got = objectsOf((await question.insight()).correlations);
    const expected = objectsOf(expect.take('events'));
    findings.equal(
      'events',
      expected.map(({ event }) => event),
      got.map(nameOf),
    );
    for (const [n, row] of expected.entries()) {
      const want = findings.expectation(`events.${n}`, row);
      want.take('event');
      for (const key of ['success_count', 'failure_count', 'odds_ratio', 'correlation_type'])
        if (want.has(key)) findings.asserted(`events.${n}.${key}`, want.take(key), got[n]?.[key], tolerance);
    }
  }
  for (const key of ['success_total', 'failure_total', 'skewed'])
    if (expect.has(key)) findings.asserted(key, expect.take(key), (await question.insight())[key]);
  await checkPersons(question, expect, findings);
};

/** `event`, `property::value` or `event::property::value`, as cases name them. */
const nameOf = ({ event, property, value }: JsonObject): string => {
  const parts = [event, property].filter((part) => part !== null && part !== undefined).map(breakdownText);
  return [...parts, ...(property === null || property === undefined ? [] : [breakdownText(value)])].join('::');
};
