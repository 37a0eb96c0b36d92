import { type ClientBase } from 'pg';
import { bound, pgSql } from '../../stores/postgres/sql.js';
import { chunkSize, type Chunks, emptyBits } from './member-bits.js';
import { recordSwitch } from './record-switch.js';

/** Records the members that a static cohort had before changes were recorded. Its row must be locked. */
export const recordStatic = async (client: ClientBase, projectId: number, cohortId: number): Promise<void> => {
  const { rows } = await client.query<{ chunk: string; places: number[] }>(
    pgSql`SELECT person_id / ${bound(chunkSize)}::integer AS chunk, array_agg((person_id % ${bound(chunkSize)}::integer)::integer) AS places
     FROM static_cohort_members WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} GROUP BY 1`,
  );
  const members: Chunks = new Map();
  for (const { chunk, places } of rows) {
    const bits = emptyBits();
    for (const at of places) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
    members.set(Number(chunk), bits);
  }
  await recordSwitch(client, projectId, cohortId, 'calculated', { members, asOf: new Date() });
};
