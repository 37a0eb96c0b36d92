import { describe, expect, it } from '@jest/globals';
import { sentToSeveralNodes } from './statements-for-nodes.mjs';

const logged = (
  process: number,
  statement: string,
): string => `2026-11-27 14:21:01.123 UTC [${process}] LOG:  multi-task query about to be executed
2026-11-27 14:21:01.123 UTC [${process}] HINT:  Queries are split to multiple tasks if they have to be.
2026-11-27 14:21:01.124 UTC [${process}] STATEMENT:  ${statement}
`;

describe('the log of a coordinator of Citus', () => {
  it('shows each statement once that names a project and went to several shards', () => {
    const named = '\n\tSELECT count(*) FROM webhooks AS w\n\tWHERE w.project_id = $1';
    const log =
      logged(7, 'SELECT DISTINCT project_id FROM webhooks WHERE id = $1') +
      logged(8, named) +
      logged(9, named) +
      '2026-11-27 14:21:01.125 UTC [7] ERROR:  division by zero\n' +
      '2026-11-27 14:21:01.125 UTC [7] STATEMENT:  DELETE FROM webhooks WHERE project_id = $1';
    expect(sentToSeveralNodes(log)).toEqual(['SELECT count(*) FROM webhooks AS w WHERE w.project_id = $1']);
  });

  it('may be empty', () => {
    expect(sentToSeveralNodes('')).toEqual([]);
  });
});
