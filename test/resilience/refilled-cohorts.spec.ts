import { describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describes } from '../support/groups.js';
import { bootstrapFile, start, terminate, type RunningProcess } from '../support/process.js';
import { closingAfterEach, newFolder } from './faulty-stores.fixture.js';

const closing = closingAfterEach();

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** The first project of a service, with the key of its owner. */
const callsOf = async ({ url }: RunningProcess, dataDir: string) => {
  const { personal_api_key: key, project_token: token } = await bootstrapFile(dataDir);
  const send = async (path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return {
    of: (path: string, body?: object) => send(`/api/projects/1/${path}`, body),
    capture: (batch: object[]) => send('/batch', { api_key: token, batch }),
  };
};

const cohorts = 40;
const events = JSON.stringify([{ id: 'paid' }]);
const inCohort = (id: number) => encodeURIComponent(JSON.stringify([{ type: 'cohort', key: 'id', value: id }]));

describe('a ClickHouse that has lost its folder', () => {
  it('has the members of every cohort as soon as it answers, before any is calculated again', async () => {
    const dataDir = await newFolder(closing);
    const first = await start({ DATA_DIR: dataDir });
    closing(() => terminate(first));
    const before = await callsOf(first, dataDir);
    const persons = Array.from({ length: 60 }, (_, n) => ({
      ...{ event: 'paid', distinct_id: `p${n}` },
      properties: { $set: { plan: n % 3 === 0 ? 'pro' : 'free' }, $groups: { company: `c${n % 5}` } },
    }));
    // Two of the twenty on `pro` become one, whose redirect is needed for the static cohort, too.
    const merge = { event: '$merge_dangerously', distinct_id: 'p0', properties: { alias: 'p3' } };
    expect((await before.capture(persons)).body).toMatchObject({ accepted: 60 });
    const distinctIds = ['p0', 'p1', 'p3'];
    const fixed = await before.of('cohorts?wait=10', { name: 'Fixed', is_static: true, distinct_ids: distinctIds });
    expect(fixed.body).toMatchObject({ id: 1, count: 3 });
    const filters = { properties: { type: 'AND', values: [{ type: 'person', key: 'plan', value: 'pro' }] } };
    for (let n = 0; n < cohorts; n += 1)
      expect((await before.of('cohorts?wait=10', { name: `Pro ${n}`, filters })).body).toMatchObject({ count: 20 });
    const described = ['c0', 'c1'].map((key) => describes('company', key, { plan: 'pro' }));
    expect((await before.capture(described)).body).toMatchObject({ accepted: 2 });
    const ofGroups = { actor: 'group', group_type_index: 0 };
    const listed = { ...ofGroups, name: 'Listed', is_static: true, group_keys: ['c4'] };
    expect((await before.of('cohorts?wait=10', listed)).body).toMatchObject({ id: cohorts + 2, count: 1 });
    const pros = {
      properties: { type: 'AND', values: [{ type: 'group', group_type_index: 0, key: 'plan', value: 'pro' }] },
    };
    const calculated = { ...ofGroups, name: 'Calculated', filters: pros };
    expect((await before.of('cohorts?wait=10', calculated)).body).toMatchObject({ id: cohorts + 3, count: 2 });
    expect((await before.capture([merge])).body).toMatchObject({ accepted: 1 });
    const questions = [
      { path: 'cohorts/1/persons', answer: { count: 2 } },
      ...[2, cohorts + 1].flatMap((id) => [
        { path: `cohorts/${id}/persons`, answer: { count: 19 } },
        { path: `cohorts/${id}`, answer: { count: 19 } },
        { path: `persons?limit=1&cohort=${id}`, answer: { count: 19 } },
        {
          path: `persons/trends?include=insight&events=${events}&properties=${inCohort(id)}`,
          answer: { insight: { series: [expect.objectContaining({ count: 20 })] } },
        },
      ]),
      ...[1, 2].flatMap((count) => {
        const id = cohorts + 1 + count;
        const series = [expect.objectContaining({ count: 12 * count })];
        return [
          { path: `cohorts/${id}/groups`, answer: { count } },
          { path: `cohorts/${id}`, answer: { count } },
          {
            path: `persons/trends?include=insight&events=${events}&properties=${inCohort(id)}`,
            answer: { insight: { series } },
          },
        ];
      }),
    ];
    for (const { path, answer } of questions)
      expect([path, (await before.of(path)).body]).toMatchObject([path, answer]);
    await terminate(first);
    await rm(join(dataDir, 'clickhouse'), { recursive: true });

    const second = await start({ DATA_DIR: dataDir });
    closing(() => terminate(second));
    const after = await callsOf(second, dataDir);
    let refused = questions.length;
    for (let rounds = 0; refused > 0 && rounds < 300; rounds += 1) {
      const answers = await Promise.all(questions.map(async (one) => ({ ...one, got: await after.of(one.path) })));
      refused = answers.filter(({ got }) => got.status === 503).length;
      for (const { path, answer, got } of answers)
        if (got.status !== 503) expect([path, got]).toMatchObject([path, { status: 200, body: answer }]);
    }
    expect(refused).toBe(0);
    expect(second.output()).toContain('the projection is rebuilt');
  });
});
