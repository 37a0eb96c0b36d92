import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

describe('persons asked for at once', () => {
  it('are each given to who asked, and none to another project', async () => {
    const projects = [await service.newProject(), await service.newProject()];
    const known: { project: number; id: number; name: string }[] = [];
    for (const [nth, { id: project }] of projects.entries()) {
      const names = Array.from({ length: 8 }, (_, n) => `project-${nth}-person-${n}`);
      await importLines(
        service,
        project,
        names.map((name) => personLine([name])),
      );
      const { body } = await service.call('GET', `/api/projects/${project}/persons`);
      for (const { id, distinct_ids } of (body as { results: PersonDto[] }).results)
        known.push({ project, id, name: distinct_ids[0] ?? '' });
    }
    expect(known).toHaveLength(16);

    const requested = projects.flatMap(({ id: project }) => [
      ...known.map((person) => ({ project, id: String(person.id), of: person })),
      { project, id: String(known[0]?.id).padStart(12, '0'), of: known[0] },
      { project, id: '999999999999', of: undefined },
    ]);
    const answers = await Promise.all(
      requested.map(({ project, id }) => service.call('GET', `/api/projects/${project}/persons/${id}`)),
    );
    const got = answers.map(({ status, body }) => (status === 200 ? (body as PersonDto).distinct_ids : status));
    expect(got).toEqual(requested.map(({ project, of }) => (of?.project === project ? [of.name] : 404)));
  });
});
