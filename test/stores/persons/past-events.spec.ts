import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IdentityDatabase, members } from '../../support/identity-database.js';
import { event, identify } from '../../support/identity-events.js';
import { importPersons } from '../../../src/kernel/identity/import-persons.js';

let first: IdentityDatabase;
let database: IdentityDatabase;

beforeAll(async () => {
  first = await IdentityDatabase.open(1);
});
afterAll(() => first.remove());
beforeEach(async () => {
  database = await first.withNewProject();
});

const withoutPerson = (distinctId: string) => event(distinctId, { process: false });

/** The ids whose past events are enqueued, to be shipped with their person. */
const enqueuedIds = async (): Promise<string[]> => (await database.takeOutbox()).distinct_ids;

describe('events from before their person', () => {
  it('are enqueued when the person is made', async () => {
    await database.receive([withoutPerson('ada'), withoutPerson('ada'), withoutPerson('bob')]);
    expect(await enqueuedIds()).toEqual([]);
    await database.receive([event('ada'), event('cleo'), event('cleo')]);
    expect(await enqueuedIds()).toEqual(['ada']);
  });

  it('are those that the log had before, not those that arrive together with the person', async () => {
    await database.receive([withoutPerson('ada'), event('ada'), withoutPerson('ada')]);
    expect(await enqueuedIds()).toEqual([]);
  });

  it('are enqueued when a merge gives the id to a person', async () => {
    await database.receive([withoutPerson('anonymous')]);
    await database.receive([identify('ada', 'anonymous'), event('ada')]);
    expect(await enqueuedIds()).toEqual(['anonymous']);
  });

  it('are enqueued when the person is imported, which adds nothing to the log', async () => {
    await database.receive([withoutPerson('ada')]);
    const person = { properties: {}, createdAt: new Date(), isIdentified: false };
    await database.transaction((client) =>
      importPersons(client, database.projectId, [{ ...person, distinctIds: ['ada', 'bob'] }], new Date(), members),
    );
    expect(await enqueuedIds()).toEqual(['ada']);
  });

  it('of another project are not concerned', async () => {
    const other = await first.withNewProject();
    await other.receive([withoutPerson('ada')]);
    await database.receive([event('ada')]);
    expect(await enqueuedIds()).toEqual([]);
  });
});
