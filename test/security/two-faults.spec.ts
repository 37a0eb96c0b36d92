import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
const unheard: unknown[] = [];
const onUnheard = (reason: unknown): void => {
  unheard.push(reason);
};

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(() => {
  unheard.length = 0;
  process.on('unhandledRejection', onUnheard);
});
afterEach(() => {
  process.off('unhandledRejection', onUnheard);
});

/** Two parameters that are wrong, each noticed at a different place on the way of a question. */
const faults = [
  'limit=0&date_from=bogus',
  'offset=-1&date_from=bogus',
  'include=x&date_from=bogus',
  'format=xml&date_from=bogus',
  'limit=0&properties=[{"type":"cohort","key":"id","value":999999}]',
];

describe('a question with two faults', () => {
  it.each(['funnel', 'funnel/correlation', 'lifecycle', 'path', 'retention', 'stickiness', 'trends'])(
    'is a 400 at %s, and leaves no rejected promise behind',
    async (insight) => {
      const path = `/api/projects/${service.project.id}/persons/${insight}`;
      for (const query of faults) {
        const answer = await service.call('GET', `${path}?${query}`);
        expect([query, answer.status]).toEqual([query, 400]);
      }
      for (const body of [
        { limit: 0, date_from: 'bogus' },
        { format: 'xml', events: 'x' },
      ]) {
        if (!['funnel', 'funnel/correlation', 'path'].includes(insight)) continue;
        expect((await service.call('POST', path, { body })).status).toBe(400);
      }
      // Node reports what was rejected and never awaited after the turn in which it was rejected.
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(unheard).toEqual([]);
    },
  );
});
