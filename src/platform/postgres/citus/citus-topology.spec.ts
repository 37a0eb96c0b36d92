import { describe, expect, it } from '@jest/globals';
import { oneServer } from '../topology.js';
import { citusTopology } from './citus-topology.js';

const text =
  'SELECT 1 FROM events WHERE project_id = (SELECT $1::integer) AND uuid = ANY ((SELECT $2::uuid[])) AND id = (SELECT max(id) FROM events)';

describe('a value that a statement hides from the planner', () => {
  it('stays hidden unless Citus must see it, and nothing else changes', () => {
    expect(oneServer.textToSend(text)).toBe(text);
    const shown =
      'SELECT 1 FROM events WHERE project_id = $1::integer AND uuid = ANY ($2::uuid[]) AND id = (SELECT max(id) FROM events)';
    expect([citusTopology.textToSend(text), citusTopology.textToSend(text)]).toEqual([shown, shown]);
  });
});
