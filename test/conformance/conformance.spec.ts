import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleOf } from '../support/sample.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { casesFolder, familiesOf } from './case.js';
import { Http } from './http.js';
import { isRight, listedDeviations, outcomeOf } from './outcome.js';
import { runCase } from './run-case.js';
import { watchOf } from './watch.js';

/** Families of cases whose routes are there: each of their cases passes, or is listed with its reason. */
const answeredFamilies: readonly string[] = [
  'cohorts',
  'funnel',
  'funnel_correlation',
  'funnel_strict',
  'funnel_unordered',
  'groups',
  'groups_api',
  'lifecycle',
  'paths',
  'persons_api',
  'property_filters',
  'retention',
  'stickiness',
  'trends',
];

/** Their routes are not there yet, or not all their answers are right. This list only gets shorter. */
const awaitedFamilies: readonly string[] = [];

const families = familiesOf(casesFolder());
const deviations = listedDeviations();

describe('conformance cases', () => {
  it('belong to a family that is answered or awaited, never to both', () => {
    expect([...answeredFamilies, ...awaitedFamilies].sort()).toEqual(families.map(({ name }) => name));
  });

  it('are named by every deviation', () => {
    const all = families.flatMap(({ name: family, cases }) => cases.map(({ name }) => `${family}/${name}`));
    expect(Object.keys(deviations).filter((key) => !all.includes(key))).toEqual([]);
  });
});

const answered = families.filter(({ name }) => answeredFamilies.includes(name));
describe('the service', () => {
  let service: ServiceHandle;
  let http: Http;

  beforeAll(async () => {
    service = await sharedService();
    http = new Http(service.url, service.key, await watchOf(service.url));
  });
  afterAll(() => service.stop());

  for (const { name: family, cases } of answered) {
    describe(`answers ${family}`, () => {
      it.each(sampleOf(cases, 3).map((given) => [given.name, given] as const))('%s', async (_, given) => {
        const outcome = outcomeOf(family, given, await runCase(http, given), deviations);
        expect(isRight(outcome) ? [] : outcome.lines).toEqual([]);
      });
    });
  }
});
