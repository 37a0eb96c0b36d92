import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { absentFeatures } from '../../src/auth/absent/absent-features.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const pages = absentFeatures.flatMap(({ emptyPages = [] }) => emptyPages);

describe('a part of the reference product that is absent', () => {
  it.each(absentFeatures.map((feature) => [feature.name, feature] as const))(
    'answers by name: %s',
    async (name, { below, elsewhere = [], instead }) => {
      const detail = `Kohort has no ${name}; instead: ${instead}`;
      for (const segment of below)
        for (const rest of [...(pages.includes(segment) ? [] : ['', '/']), '/1/', '/1/results?limit=5']) {
          const { status, body } = await service.call(
            'GET',
            `/api/environments/${service.project.id}/${segment}${rest}`,
          );
          expect([segment, status, body]).toMatchObject([segment, 404, { code: 'not_found', detail }]);
        }
      for (const path of elsewhere) {
        const { status, body } = await service.call('POST', `${path}/x`, { key: null, body: {} });
        expect([path, status, body]).toMatchObject([path, 404, { detail }]);
      }
      const made = await service.call('POST', `/api/projects/${service.project.id}/${below[0]}/x`, { body: {} });
      expect([made.status, made.body]).toMatchObject([404, { detail }]);
    },
  );

  it('has an empty list where clients ask for one when they start, for a key that opens the project', async () => {
    const { text: key } = await service.newKey({ scopes: ['event:read'], projectIds: [service.project.id] });
    const foreign = await service.newProject();
    const ask = (segment: string, id: number, sent: string | null) =>
      service.call('GET', `/api/projects/${id}/${segment}/?limit=5`, { key: sent });
    for (const segment of pages) {
      const { status, body } = await ask(segment, service.project.id, key);
      const page = { count: 0, next: null, previous: null, results: [] };
      expect([segment, status, body]).toEqual([segment, 200, page]);
      expect((await ask(segment, foreign.id, key)).status).toBe(404);
      expect((await ask(segment, service.project.id, null)).status).toBe(401);
    }
  });

  it('leaves other unknown addresses their hints', async () => {
    const { body } = await service.call('GET', `/api/projects/${service.project.id}/cohort`);
    expect(body).toMatchObject({ detail: expect.stringContaining('did you mean') });
  });

  it('has no name that is taken for an id of a record', async () => {
    const path = `/api/projects/${service.project.id}/persons/reset_person_distinct_id`;
    const { status, body } = await service.call('POST', path, { body: { distinct_id: 'ada' } });
    expect([status, body]).toMatchObject([404, { detail: expect.stringContaining('there is no route') }]);
  });
});
