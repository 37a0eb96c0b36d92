import { textsOf, objectOf, objectsOf } from '../json.js';
import { checkedRefusal, demand, type Checker } from '../question.js';
import { NotExpressible } from '../not-expressible.js';

/** The cohort under test is made by the check itself, since it may have to be refused. */
export const checkCohort: Checker = async (scene, expect, findings) => {
  const { cohort: ref } = scene.given.request.params;
  const cohort = scene.given.cohorts.find((one) => one.ref === ref);
  if (!cohort) throw new NotExpressible(`the case has no cohort ${String(ref)}`);
  const send = () => scene.ask('POST', 'cohorts', { query: { wait: 30 }, body: scene.cohortBody(cohort, cohort.body) });
  if (await checkedRefusal(expect, findings, send)) return;
  const made = objectOf(demand('POST cohorts', 201, await send()));
  findings.equal('is_calculating', false, made.is_calculating);
  findings.equal('calculation_error', null, made.calculation_error ?? null);
  if (expect.has('valid')) findings.equal('valid', expect.take('valid'), made.calculation_error === null);
  if (expect.has('normalised_properties'))
    findings.includes('filters', { properties: expect.take('normalised_properties') }, made.filters);
  const path = `cohorts/${String(made.id)}/persons`;
  const page = objectOf(demand(path, 200, await scene.ask('GET', path, { query: { limit: 1000 } })));
  const members = objectsOf(page.results);
  if (expect.has('members'))
    findings.sameSet(
      'members',
      textsOf(expect.take('members')),
      members.map((person) => scene.nameOf(person)),
    );
  findings.equal('count of the list', members.length, page.count);
  findings.equal('count of the cohort', members.length, made.count);
};
