import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PersonMergeDto } from '../../src/persons/undo/person-undo.dto.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { importLines, personLine } from '../support/import.js';
import { PersonsOf } from '../support/persons.js';
import { runsOf } from '../support/sample.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

/** Undo of merges and of splits beside each other and beside merges, splits and deletions of the same persons. */
let service: ServiceHandle;
let people: PersonsOf;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  people = new PersonsOf(service, (await service.newProject()).id);
});

const names = Array.from({ length: 8 }, (_, n) => `p${n}`);
const parallel = 64;

const personsNow = async (): Promise<PersonDto[]> =>
  ((await people.call('GET', 'persons', { query: { limit: 100 } })).body as { results: PersonDto[] }).results;

const makeAll = async (): Promise<Record<string, number>> => {
  await importLines(service, people.projectId, [
    personLine('main', { name: 'main' }),
    ...names.map((name) => personLine([name, `${name}-2`], { [name]: name })),
  ]);
  const made = await personsNow();
  const idOf = (name: string) => made.find(({ distinct_ids }) => distinct_ids.includes(name))?.id ?? 0;
  return Object.fromEntries(['main', ...names].map((name) => [name, idOf(name)]));
};

const merge = (id: number, persons: readonly number[]) =>
  people.call('POST', `persons/${id}/merge`, { body: { persons } });
const mergesOf = async (id: number): Promise<PersonMergeDto[]> =>
  ((await people.call('GET', `persons/${id}/merges`)).body as { results: PersonMergeDto[] }).results;
const undoMerge = (id: number, mergeId: number) => people.call('POST', `persons/${id}/merges/${mergeId}/undo`);

/** Each distinct id has one person, which is there; nobody is there without an id, and no redirect leads astray. */
const assertWhole = async (): Promise<void> => {
  const faults = await service.pool.query<{ fault: string }>(
    `SELECT 'id without a person: ' || distinct_id AS fault FROM person_distinct_ids AS d WHERE project_id = $1
       AND NOT EXISTS (SELECT FROM persons AS p WHERE p.project_id = $1 AND p.id = d.person_id)
     UNION ALL SELECT 'person without an id: ' || id FROM persons AS p WHERE project_id = $1
       AND NOT EXISTS (SELECT FROM person_distinct_ids AS d WHERE d.project_id = $1 AND d.person_id = p.id)
     UNION ALL SELECT 'redirect of a person: ' || source FROM person_redirects AS r WHERE project_id = $1
       AND (EXISTS (SELECT FROM persons AS p WHERE p.project_id = $1 AND p.id = r.source)
         OR NOT EXISTS (SELECT FROM persons AS p WHERE p.project_id = $1 AND p.id = r.target))`,
    [people.projectId],
  );
  expect(faults.rows).toEqual([]);
};

describe('at the same moment', () => {
  it('many undo all merges of a person: each is undone once, and all is as it was before', async () => {
    const ids = await makeAll();
    const main = ids.main ?? 0;
    const before = await personsNow();
    expect(
      (
        await merge(
          main,
          names.map((name) => ids[name] ?? 0),
        )
      ).status,
    ).toBe(200);
    const merges = await mergesOf(main);
    expect(merges).toHaveLength(names.length);
    const answers = await Promise.all(
      Array.from({ length: parallel }, (_, n) => undoMerge(main, merges[n % merges.length]?.id ?? 0)),
    );
    // On a busy machine some wait too long for their turn, and may try again.
    for (const { id } of merges) answers.push(await undoMerge(main, id));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 404, 409, 503].includes(status))).toEqual([]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(merges.length);
    await assertWhole();
    const shape = (persons: PersonDto[]) =>
      persons.map(({ distinct_ids, properties }) => JSON.stringify([[...distinct_ids].sort(), properties])).sort();
    expect(shape(await personsNow())).toEqual(shape(before));
  });

  it('many undo a split beside another split: one is undone, and no id is lost', async () => {
    const ids = await makeAll();
    const one = ids.p0 ?? 0;
    const split = () => people.call('POST', `persons/${one}/split`, { body: { distinct_ids_to_split: ['p0-2'] } });
    expect((await split()).status).toBe(200);
    const undo = () => people.call('POST', `persons/${one}/split/undo`);
    const answers = await Promise.all(Array.from({ length: parallel }, (_, n) => (n % 8 === 7 ? split() : undo())));
    expect(answers.map(({ status }) => status).filter((status) => ![200, 400, 404, 409, 503].includes(status))).toEqual(
      [],
    );
    await assertWhole();
    const known = (await personsNow()).flatMap(({ distinct_ids }) => distinct_ids).sort();
    expect(known).toEqual(['main', ...names.flatMap((name) => [name, `${name}-2`])].sort());
  });

  it('merges, their undo, splits and deletions of the same persons leave each id with one whole person, or with none', async () => {
    for (let run = 0; run < runsOf(20, 20); run += 1) {
      people = new PersonsOf(service, (await service.newProject()).id);
      const ids = await makeAll();
      const main = ids.main ?? 0;
      await merge(
        main,
        names.map((name) => ids[name] ?? 0),
      );
      const merges = await mergesOf(main);
      const answers = await Promise.all(
        Array.from({ length: parallel }, (_, n) => {
          const [name = '', known] = [names[n % names.length], merges[n % merges.length]];
          if (n % 16 === 15)
            return people.call('POST', 'persons/bulk_delete', { body: { distinct_ids: [`${name}-2`] } });
          if (n % 16 === 11)
            return people.call('POST', `persons/${main}/split`, { body: { distinct_ids_to_split: [name] } });
          if (n % 4 === 2) return people.call('POST', `persons/${main}/merge`, { body: { distinct_ids: [name] } });
          if (n % 16 === 5) return people.call('POST', `persons/${main}/split/undo`);
          return undoMerge(main, known?.id ?? 0);
        }),
      );
      const odd = answers.filter(({ status }) => ![200, 202, 204, 400, 404, 409, 503].includes(status));
      expect(odd.map(({ status, text }) => [status, text])).toEqual([]);
      await assertWhole();
      const persons = await personsNow();
      const left = persons.flatMap(({ distinct_ids }) => distinct_ids);
      expect(new Set(left).size).toBe(left.length);
      // What nobody asked to delete is there, with its property in the person that has the id.
      const deletedPersons = new Set(left).size < 1 + 2 * names.length;
      for (const name of deletedPersons ? [] : names)
        expect(persons.some(({ properties }) => (properties as Record<string, unknown>)[name] === name)).toBe(true);
    }
  }, 180_000);
});
