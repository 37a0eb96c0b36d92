import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../src/platform/errors/problem.js';
import { type ProjectContext } from '../../src/kernel/access/project-context.js';
import { parseFilters } from '../../src/filters/reading/filter-fields.js';
import { RegexCheck } from '../../src/filters/checks/filter-checks.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';

let folder: string;
let clickhouse: ClickHouse;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-patterns-'));
  clickhouse = await ClickHouse.open({ embeddedPath: folder }, { info: () => undefined });
});
afterAll(async () => {
  await clickhouse.close();
  await rm(folder, { recursive: true, force: true });
});

const allowed = ['event', 'person', 'cohort', 'event_metadata'] as const;
const filterOf = (given: unknown) => parseFilters(given, 'properties', { defaultType: 'event', allowed });

describe('a regular expression', () => {
  const project = { id: 1 } as unknown as ProjectContext;
  const regex = (...value: string[]) => ({ key: 'a', operator: 'regex', value });
  const fault = async (check: RegexCheck, given: unknown) => {
    return check.check(project, filterOf(given), 'properties').catch((error: Problem) => [error.attr, error.message]);
  };

  it.each([
    [[regex('^a$')], null],
    [[regex('(')], 'properties.0.value'],
    [[{ key: 'a', operator: 'not_regex', value: '[' }], 'properties.0.value'],
    [[regex('a', '(', '[')], 'properties.0.value.1'],
    [[regex('a', 'b', 'c', '(')], 'properties.0.value.3'],
    [[regex('a', 'b'), regex('c', 'd', '('), regex('[')], 'properties.1.value.2'],
    [
      [
        { key: 'a', operator: 'icontains', value: '(' },
        { type: 'cohort', key: 'id', value: 1 },
      ],
      null,
    ],
    [[{ key: 'a', operator: 'icontains', value: '(' }, regex('a', '(')], 'properties.1.value.1'],
  ])('that RE2 does not understand is found in %j: %s', async (given, attr) => {
    const found = await fault(new RegexCheck(clickhouse), given);
    const words = `${attr} must be a regular expression that RE2 understands: `;
    expect(found).toEqual(attr === null ? undefined : [attr, expect.stringContaining(words)]);
  });

  it('is checked once, and again after a fault', async () => {
    const check = new RegexCheck(clickhouse);
    const query = jest.spyOn(clickhouse, 'query');
    const statements = async (...values: string[]) => {
      query.mockClear();
      await fault(check, [regex(...values), regex(...values)]);
      return query.mock.calls.length;
    };
    expect([await statements('a'), await statements('a'), await statements('a', 'b')]).toEqual([1, 0, 1]);
    expect([await statements('('), await statements('(')]).toEqual([1, 1]);
    expect(await statements('b', 'a')).toBe(0);
    query.mockRestore();
  });

  it('is not called wrong where the statement is given up', async () => {
    const check = new RegexCheck(clickhouse).check(project, filterOf([regex('a')]), 'properties', AbortSignal.abort());
    await expect(check).rejects.not.toBeInstanceOf(Problem);
  });
});
