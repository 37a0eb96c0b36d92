import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProjectsService } from '../../src/projects/projects.service.js';
import { all, CohortsOf, where } from '../support/cohorts/cohorts-of.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const person = (key: string, more: object): object => ({ type: 'person', key, ...more });
const good = person('email', { operator: 'not_icontains', value: '@example.test' });
const inCohort = (value: unknown): object => ({ type: 'cohort', key: 'id', value });

/** Each setting, the path of its fault, and a part of the message. */
const faults: readonly (readonly [setting: object, attr: string, detail: RegExp])[] = [
  [
    { test_account_filters: [good, good, person('email', { operator: 'regex', value: '(' })] },
    'test_account_filters.2.value',
    /RE2/,
  ],
  [
    { test_account_filters: [person('email', { operator: 'regex', value: ['a', '(?=b)'] })] },
    'test_account_filters.0.value.1',
    /RE2/,
  ],
  [
    { test_account_filters: [person('email', { operator: 'like', value: 'a' })] },
    'test_account_filters.0.operator',
    /must be one of exact/,
  ],
  [
    { test_account_filters: [{ type: 'recording', key: 'a', value: 1 }] },
    'test_account_filters.0.type',
    /must be one of event, person/,
  ],
  [
    { test_account_filters: [{ type: 'person', operator: 'exact', value: 1 }] },
    'test_account_filters.0.key',
    /required/,
  ],
  [{ test_account_filters: [person('a', { operator: 'between', value: 1 })] }, 'test_account_filters.0.value', /two/],
  [{ test_account_filters: [good, { ...good, oprator: 'exact' }] }, 'test_account_filters.1.oprator', /not known/],
  [{ test_account_filters: [inCohort(999_999)] }, 'test_account_filters.0.value', /there is no cohort 999999/],
  [{ test_account_filters: [inCohort('x')] }, 'test_account_filters.0.value', /id of a cohort/],
  [{ path_cleaning_filters: [{ regex: '[', alias: '' }] }, 'path_cleaning_filters.0.regex', /RE2/],
  [
    {
      path_cleaning_filters: [
        { regex: 'a', alias: '' },
        { regex: 'a', alias: '\\1' },
      ],
    },
    'path_cleaning_filters.1.alias',
    /groups of its regular expression/,
  ],
  [{ path_cleaning_filters: [{ regex: 'a' }] }, 'path_cleaning_filters.0.alias', /required/],
];

describe('a setting that questions could not use', () => {
  it.each(faults)('is refused with its path: %j', async (setting, attr, detail) => {
    const { id } = await service.newProject('Settings');
    const before = (await service.call('GET', `/api/projects/${id}`)).body;
    for (const answer of [
      await service.call('PATCH', `/api/projects/${id}`, { body: setting }),
      await service.call('POST', '/api/projects', { body: { name: 'New', ...setting } }),
    ]) {
      expect([answer.status, answer.body]).toEqual([
        400,
        expect.objectContaining({ attr, detail: expect.stringMatching(detail) }),
      ]);
    }
    expect((await service.call('GET', `/api/projects/${id}`)).body).toEqual(before);
  });

  it('is a filter on a cohort of another project, or of none that a new project could have', async () => {
    const [own, foreign] = [await service.newProject('Own'), await service.newProject('Foreign')];
    const cohort = { filters: all(where('plan', 'pro')) };
    const [mine, theirs] = [
      await new CohortsOf(service, own.id).create(cohort),
      await new CohortsOf(service, foreign.id).create(cohort),
    ];
    const set = (id: number) => ({ body: { name: 'Own', test_account_filters: [inCohort(id)] } });
    expect((await service.call('PATCH', `/api/projects/${own.id}`, set(mine.id))).status).toBe(200);
    for (const answer of [
      await service.call('PATCH', `/api/projects/${own.id}`, set(theirs.id)),
      await service.call('POST', '/api/projects', set(mine.id)),
    ])
      expect(answer.body).toMatchObject({ status: 400, attr: 'test_account_filters.0.value' });
  });

  it('stays as it is when the cohort that it names is deleted, and is sent back', async () => {
    const { id } = await service.newProject('Deleted');
    const of = new CohortsOf(service, id);
    const cohort = await of.create({ filters: all(where('plan', 'pro')) });
    const url = `/api/projects/${id}`;
    await service.call('PATCH', url, { body: { test_account_filters: [inCohort(cohort.id)] } });
    await of.change(cohort.id, { deleted: true });
    const record = (await service.call('GET', url)).body as object;
    expect((await service.call('PATCH', url, { body: record })).status).toBe(200);
    expect((await of.call('GET', 'persons/trends', { query: { filter_test_accounts: 'true' } })).status).toBe(200);
  });

  it('is refused at the command line and in a bootstrap too', async () => {
    const projects = service.app.get(ProjectsService);
    const now = new Date();
    await expect(projects.create({ name: 'CLI', timezone: 'Mars/Olympus' }, now)).rejects.toMatchObject({
      status: 400,
      attr: 'timezone',
    });
    await expect(projects.assertValid({ name: 'x'.repeat(201) })).rejects.toMatchObject({ attr: 'name' });
    await expect(projects.create({ name: '' }, now)).rejects.toMatchObject({ status: 400, attr: 'name' });
    expect((await projects.create({ name: 'CLI', timezone: 'Europe/Berlin' }, now)).timezone).toBe('Europe/Berlin');
  });
});

describe('a bad setting of an earlier release', () => {
  const stored: readonly (readonly [column: string, value: string, query: string, attr: string])[] = [
    [
      'test_account_filters',
      '[{"key":"a","operator":"like"}]',
      'trends?filter_test_accounts=true',
      'test_account_filters.0.operator',
    ],
    [
      'test_account_filters',
      '[{"key":"a","operator":"regex","value":"("}]',
      'trends?filter_test_accounts=true',
      'test_account_filters.0.value',
    ],
    [
      'test_account_filters',
      '[{"type":"cohort","key":"id","value":999999}]',
      'trends?filter_test_accounts=true',
      'test_account_filters.0.value',
    ],
    ['test_account_filters', '5', 'trends?filter_test_accounts=true', 'test_account_filters'],
    [
      'path_cleaning_filters',
      '[{"regex":"[","alias":""}]',
      'path?path_replacements=true',
      'path_cleaning_filters.0.regex',
    ],
    ['path_cleaning_filters', '[{"alias":"a"}]', 'path?path_replacements=true', 'path_cleaning_filters.0.regex'],
    ['path_cleaning_filters', '{"regex":"a"}', 'path?path_replacements=true', 'path_cleaning_filters'],
    ['timezone', 'Mars/Olympus', 'trends', 'timezone'],
    ['timezone', 'Mars/Olympus', 'trends?date_from=2024-01-01', 'timezone'],
  ];

  it.each(stored)(
    '%s = %s is a 400 of the question that uses it, and can be changed',
    async (column, value, query, attr) => {
      const { id } = await service.newProject('Earlier');
      await service.pool.query(`UPDATE projects SET ${column} = $2 WHERE id = $1`, [id, value]);
      const ask = (path: string) => service.call('GET', `/api/projects/${id}/persons/${path}`);
      const answer = await ask(query);
      expect([answer.status, answer.body]).toMatchObject([400, { attr }]);
      const right = column === 'timezone' ? 'UTC' : [];
      const patched = await service.call('PATCH', `/api/projects/${id}`, { body: { [column]: right } });
      expect(patched.status).toBe(200);
      expect((await ask(query)).status).toBe(200);
    },
  );

  it('is not checked as long as it is sent back unchanged', async () => {
    const { id } = await service.newProject('Earlier');
    const rules = [{ regex: '[', alias: '' }];
    await service.pool.query('UPDATE projects SET path_cleaning_filters = $2 WHERE id = $1', [
      id,
      JSON.stringify(rules),
    ]);
    const body = { name: 'Renamed', path_cleaning_filters: rules };
    expect((await service.call('PATCH', `/api/projects/${id}`, { body })).status).toBe(200);
    const query = { filter_test_accounts: 'true' };
    expect((await service.call('GET', `/api/projects/${id}/persons/path`, { query })).status).toBe(200);
  });
});
