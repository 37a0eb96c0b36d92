import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { groupChecks } from '../support/insights/checks.js';
import { runsOf } from '../support/sample.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

const streams = runsOf(6, 3);

let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});

afterAll(() => service.stop());

describe('random streams whose persons each have a group', () => {
  it.each(Object.entries(groupChecks))(
    'have the same %s of groups as the naive reading has of persons',
    async (_, check) => {
      expect(await check(service, { streams, seed: 20_261_130 })).toBeGreaterThan(0);
    },
    600_000,
  );
});
