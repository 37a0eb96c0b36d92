import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insightChecks } from '../support/insights/checks.js';
import { runsOf } from '../support/sample.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

/** The long tests have very many streams for every insight. */
const streams = runsOf(6, 3);

let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});

afterAll(() => service.stop());

describe('random streams', () => {
  it.each(Object.entries(insightChecks))(
    'have the %s of the naive reading, and its persons, before and after merges and splits',
    async (_, check) => {
      // Streams in which nobody does anything would agree with anything.
      expect(await check(service, { streams, seed: 20_260_302 })).toBeGreaterThan(streams);
    },
    600_000,
  );
});
