import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isOnCitus, workOnCitus } from './on-citus.js';
import { textToSend } from './shown-values.js';

const text =
  'SELECT 1 FROM events WHERE project_id = (SELECT $1::integer) AND uuid = ANY ((SELECT $2::uuid[])) AND id = (SELECT max(id) FROM events)';

const wasOnCitus = isOnCitus();

beforeAll(() => workOnCitus(false));
afterAll(() => workOnCitus(wasOnCitus));

describe('a value that a statement hides from the planner', () => {
  it('stays hidden unless Citus must see it, and nothing else changes', () => {
    expect(textToSend(text)).toBe(text);
    workOnCitus(true);
    const shown =
      'SELECT 1 FROM events WHERE project_id = $1::integer AND uuid = ANY ($2::uuid[]) AND id = (SELECT max(id) FROM events)';
    expect([textToSend(text), textToSend(text)]).toEqual([shown, shown]);
  });
});
