import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type UploadReportDto } from '../../src/cohorts/record/upload.dto.js';
import { CohortsOf, all, where } from '../support/cohorts/cohorts-of.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: CohortsOf;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  of = new CohortsOf(service, (await service.newProject()).id);
  await importLines(service, of.projectId, [
    personLine('ada', { email: 'ada@example.test' }),
    personLine(['bob', 'bob-2'], { email: 'bob@example.test' }),
    personLine('twin-1', { email: 'Twin@example.test' }),
    personLine('twin-2', { email: 'twin@example.test' }),
    { type: 'event', event: 'seen', distinct_id: 'ada', timestamp: '2024-01-02T00:00:00Z' },
  ]);
});

const reportOf = async (id: number): Promise<UploadReportDto> => {
  const { status, body } = await of.call('GET', `cohorts/${id}/upload`);
  expect(status).toBe(200);
  return body as UploadReportDto;
};
const upload = async (csv: string | Uint8Array, path = 'cohorts?wait=20', method: 'POST' | 'PATCH' = 'POST') => {
  const fields: Record<string, string> = method === 'POST' ? { name: 'Up', is_static: 'true' } : {};
  const { body } = await of.upload(method, path, fields, csv);
  expect(body).toMatchObject({ is_calculating: false });
  return body;
};
const onLine = (line: number, value: string) => ({ attr: 'csv', line, value });

describe('the report of an upload', () => {
  it('counts the rows of a file, and lists those without a person by the line on which they begin', async () => {
    const { id, upload: counts } = await upload(
      'distinct_id,note\r\nada,"two\r\nlines"\r\n\r\nghost,x\r\nbob,\r\nbob-2,the same person\r\nada,again\r\n,blank\r\nghost,again\r\n',
    );
    expect(counts).toEqual({ rows: 7, matched: 2, unknown: 3, duplicates: 2 });
    expect(await reportOf(id)).toEqual({
      ...counts,
      uploaded_at: expect.stringMatching(/Z$/),
      unmatched: [onLine(5, 'ghost'), onLine(9, ''), onLine(10, 'ghost')],
    });
    expect((await of.cohort(id)).upload).toEqual(counts);
  });

  it.each(['persons?search=ada&format=csv', 'export/persons?format=csv'])(
    'is of whole files of persons too: the answer of %s makes a cohort of the same persons',
    async (path) => {
      const answer = await fetch(`${service.url}/api/projects/${of.projectId}/${path}`, {
        headers: { authorization: `Bearer ${service.key}` },
      });
      const made = await upload(await answer.text());
      const matched = path.startsWith('export') ? 4 : 1;
      expect(made.upload).toEqual({ rows: matched, matched, unknown: 0, duplicates: 0 });
    },
  );

  it('counts a row of one e-mail once, however many persons have it', async () => {
    const made = await upload('email\nTWIN@example.test\nada@example.test\ntwin@example.test\nzoe@example.test\n');
    expect([made.count, made.upload]).toEqual([3, { rows: 4, matched: 2, unknown: 1, duplicates: 1 }]);
    expect((await reportOf(made.id)).unmatched).toEqual([onLine(5, 'zoe@example.test')]);
  });

  it('lists person ids that are none, in any encoding', async () => {
    const ada = await of.ofDistinctId('ada');
    const text = `person_id;plan\n${ada.id};a\n${ada.uuid};b\nodd;c\n999999;d\n`;
    const { id, upload: counts } = await upload(Buffer.from(`\ufeff${text}`, 'utf16le'));
    expect(counts).toEqual({ rows: 4, matched: 1, unknown: 2, duplicates: 1 });
    expect((await reportOf(id)).unmatched).toEqual([onLine(4, 'odd'), onLine(5, '999999')]);
  });

  it('has lists of ids as well, by their places', async () => {
    const ada = await of.ofDistinctId('ada');
    const made = await of.create({
      is_static: true,
      person_ids: [999_999, ada.id, ada.uuid],
      distinct_ids: ['ghost', 'bob', 'bob-2', 'bob'],
    });
    expect(made.upload).toEqual({ rows: 7, matched: 2, unknown: 2, duplicates: 3 });
    expect((await reportOf(made.id)).unmatched).toEqual([
      { attr: 'person_ids.0', line: null, value: '999999' },
      { attr: 'distinct_ids.0', line: null, value: 'ghost' },
    ]);
  });

  it('is that of the last upload: an existing member is matched again, and no duplicate', async () => {
    const { id } = await upload('ada\nghost\n');
    const again = await upload('bob\nada\nada\n', `cohorts/${id}?wait=20`, 'PATCH');
    expect([again.count, again.upload]).toEqual([2, { rows: 3, matched: 2, unknown: 0, duplicates: 1 }]);
    expect((await reportOf(id)).unmatched).toEqual([]);
  });

  it('lists the first 1,000 rows without a person, and finds duplicates at any distance', async () => {
    const rows = ['ada', ...Array.from({ length: 11_000 }, (_, n) => `ghost-${n}`), 'bob', 'ada'];
    const { id, upload: counts } = await upload(rows.join('\n'));
    expect(counts).toEqual({ rows: 11_003, matched: 2, unknown: 11_000, duplicates: 1 });
    const { unmatched } = await reportOf(id);
    expect([unmatched.length, unmatched[0], unmatched.at(-1)]).toEqual([
      1000,
      onLine(2, 'ghost-0'),
      onLine(1001, 'ghost-999'),
    ]);
  });

  it('does not exist without an upload', async () => {
    const dynamic = await of.create({ filters: all(where('plan', 'pro')) });
    const empty = await of.create({ is_static: true, distinct_ids: [] });
    const copy = (await of.call('GET', `cohorts/${dynamic.id}/duplicate_as_static_cohort`)).body as { id: number };
    for (const id of [dynamic.id, empty.id, copy.id, 999_999]) {
      expect((await of.call('GET', `cohorts/${id}/upload`)).status).toBe(404);
      if (id !== 999_999) expect((await of.cohort(id)).upload).toBeNull();
    }
    const made = await upload('ada');
    const other = await service.newProject();
    expect((await service.call('GET', `/api/projects/${other.id}/cohorts/${made.id}/upload`)).status).toBe(404);
  });
});
