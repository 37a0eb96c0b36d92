import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PersonsRepository } from '../../src/persons/reading/persons.repository.js';
import { PersonsOf } from '../support/persons.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let people: PersonsOf;

beforeAll(async () => {
  service = await startTestService();
  people = new PersonsOf(service, service.project.id);
});
afterAll(() => service.stop());

describe('a split of a person', () => {
  it('that is deleted right after it was read does not find it', async () => {
    const { id } = await people.make(['ada', 'ada-2']);
    const reader = service.app.get(PersonsRepository);
    const get = reader.get.bind(reader);
    jest.spyOn(reader, 'get').mockImplementationOnce(async (...place) => {
      const person = await get(...place);
      expect((await people.call('DELETE', `persons/${id}`)).status).toBe(204);
      return person;
    });
    const split = await people.call('POST', `persons/${id}/split`, { body: { distinct_ids_to_split: ['ada-2'] } });
    expect([split.status, split.body]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
  });
});
