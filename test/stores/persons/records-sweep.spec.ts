import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PersonsOf } from '../../support/persons.js';
import { startTestService, type TestService } from '../../support/service.js';
import { Postgres } from '../../../src/platform/postgres/postgres.js';
import { RecordsSweep } from '../../../src/kernel/identity/records-sweep.js';

let service: TestService;
let people: PersonsOf;

beforeAll(async () => {
  service = await startTestService();
  people = new PersonsOf(service, (await service.newProject()).id);
});
afterAll(() => service.stop());

it('removes the records of merges and splits that are older than 90 days, and keeps those of undone ones as long again', async () => {
  const ada = await people.make(['ada', 'ada-2', 'ada-3']);
  for (const id of ['bob', 'cy']) {
    await people.make([id]);
    await people.call('POST', `persons/${ada.id}/merge`, { body: { distinct_ids: [id] } });
  }
  await people.call('POST', `persons/${ada.id}/split`, { body: { distinct_ids_to_split: ['ada-2'] } });
  const list = (await people.call('GET', `persons/${ada.id}/merges`)).body as { results: { id: number }[] };
  await people.call('POST', `persons/${ada.id}/merges/${list.results[0]?.id ?? 0}/undo`);
  const kept = async () => {
    const rows: number[] = [];
    for (const table of ['person_merges', 'person_merge_ids', 'person_splits', 'person_split_ids'])
      rows.push((await service.app.get(Postgres).pool.query(`SELECT 1 FROM ${table}`)).rowCount ?? 0);
    return rows;
  };
  const sweep = service.app.get(RecordsSweep);
  const day = 24 * 3_600_000;
  await sweep.run(new Date(Date.now() + 89 * day));
  expect(await kept()).toEqual([2, 2, 1, 1]);
  await service.app.get(Postgres).pool.query(`UPDATE person_merges SET merged_at = merged_at - interval '2 days'`);
  await sweep.run(new Date(Date.now() + 89 * day));
  expect(await kept()).toEqual([1, 1, 1, 1]);
  await sweep.run(new Date(Date.now() + 91 * day));
  expect(await kept()).toEqual([0, 0, 0, 0]);
});
