import { NotExpressible } from './not-expressible.js';
import { unknownKeysOf, type Case } from './case.js';
import { checkCohort } from './checks/cohorts.js';
import { checkCorrelation } from './checks/correlation.js';
import { checkEvents } from './checks/events.js';
import { checkFunnel } from './checks/funnels.js';
import { checkLifecycle } from './checks/lifecycle.js';
import { checkPaths } from './checks/paths.js';
import { checkIngest, checkPersonsApi } from './checks/persons.js';
import { checkRetention } from './checks/retention.js';
import { checkStickiness } from './checks/stickiness.js';
import { checkTrends } from './checks/trends.js';
import { Findings, type Difference } from './findings.js';
import { type Http } from './http.js';
import { type Checker, WrongStatus } from './question.js';
import { Scene } from './scene.js';

const checkers: Readonly<Record<string, Checker>> = {
  funnel: checkFunnel,
  funnel_strict: checkFunnel,
  funnel_unordered: checkFunnel,
  funnel_correlation: checkCorrelation,
  lifecycle: checkLifecycle,
  paths: checkPaths,
  retention: checkRetention,
  stickiness: checkStickiness,
  trends: checkTrends,
  cohort: checkCohort,
  events: checkEvents,
  persons_api: checkPersonsApi,
  groups_api: checkPersonsApi,
  ingest: checkIngest,
};

export interface Run {
  /** Everything in which our answer is not the expected one. */
  readonly differences: readonly Difference[];
  /** What of the case our contract has no words for: then it was not put to the service. */
  readonly notExpressible: string | null;
  /** There was no answer to compare: no such route, a fault, a scene that could not be set. No deviation explains that. */
  readonly broken: boolean;
}

export const runCase = async (http: Http, given: Case): Promise<Run> => {
  const findings = new Findings();
  for (const key of unknownKeysOf(given)) findings.differ(key, 'something the runner understands', 'an unknown key');
  const expect = findings.expectation('expect', given.expect);
  try {
    const check = checkers[given.request.insight];
    if (!check) throw new NotExpressible(`the insight "${given.request.insight}" has no row`);
    await check(await Scene.set(http, given), expect, findings);
  } catch (error) {
    if (error instanceof NotExpressible) return { differences: [], notExpressible: error.message, broken: false };
    const broken = !(error instanceof WrongStatus) || error.reply.status !== 400;
    return { differences: [...findings.differences, failureOf(error)], notExpressible: null, broken };
  }
  return { differences: findings.finish(), notExpressible: null, broken: false };
};

const failureOf = (error: unknown): Difference => {
  if (error instanceof WrongStatus)
    return { at: error.at, expected: error.expected, got: `${error.reply.status} ${error.reply.text.slice(0, 300)}` };
  const message = error instanceof Error ? error.message : String(error);
  return { at: 'the case', expected: 'to run', got: message };
};
