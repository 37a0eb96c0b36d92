import { type Findings } from '../findings.js';
import { isObject, objectsOf, textOf, textsOf, type JsonObject } from '../json.js';
import { checkedRefusal, checkPersons, Question, type Checker } from '../question.js';

export const checkPaths: Checker = async (scene, expect, findings) => {
  const question = new Question(scene);
  if (await checkedRefusal(expect, findings, () => question.send())) return;
  await checkPersons(question, expect, findings);
  if (expect.has('persons_at')) {
    const given = expect.take('persons_at');
    for (const [n, point] of (isObject(given) ? [given] : objectsOf(given)).entries())
      await checkPoint(question, `persons_at.${n}`, point, findings);
  }
  const ordered = !expect.has('ordered') || expect.take('ordered') !== false;
  if (!expect.has('edges') && !expect.has('edges_count')) return;
  const edges = objectsOf((await question.insight()).edges);
  if (expect.has('edges_count')) findings.equal('edges_count', expect.take('edges_count'), edges.length);
  if (expect.has('edges')) compareEdges(objectsOf(expect.take('edges')), edges, ordered, findings);
};

const checkPoint = async (question: Question, at: string, point: JsonObject, findings: Findings): Promise<void> => {
  const want = findings.expectation(at, point);
  const keys = ['path_start_key', 'path_end_key', 'path_dropoff_key'].filter((key) => want.has(key));
  const selection = Object.fromEntries(keys.map((key) => [key, want.take(key)]));
  if (want.has('persons')) findings.sameSet(at, textsOf(want.take('persons')), await question.names(selection));
  if (want.has('persons_count')) findings.equal(at, want.take('persons_count'), await question.count(selection));
};

const keyOf = ({ source, target }: JsonObject): string => `${textOf(source)} → ${textOf(target)}`;

const compareEdges = (
  expected: readonly JsonObject[],
  got: readonly JsonObject[],
  ordered: boolean,
  findings: Findings,
): void => {
  const [all, found] = [expected.map(keyOf), got.map(keyOf)];
  if (ordered) findings.equal('edges', all, found);
  else findings.sameSet('edges', all, found);
  for (const edge of expected) {
    const at = `edges ${keyOf(edge)}`;
    const want = findings.expectation(at, edge);
    for (const key of ['source', 'target']) want.take(key);
    const have = got.find((other) => keyOf(other) === keyOf(edge));
    for (const key of ['value', 'average_conversion_time'])
      if (want.has(key) && have) findings.asserted(`${at}.${key}`, want.take(key), have[key]);
      else want.take(key);
  }
};
