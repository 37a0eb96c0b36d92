import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Scene } from '../../support/projection-scene.js';
import { sql, unsigned } from '../../../src/platform/clickhouse/sql.js';

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

it('ships the recorded members of the version that was enqueued, and none of a version that no longer counts', async () => {
  const project = await scene.newProject();
  await scene.pool.query(
    `INSERT INTO cohorts (project_id, id, name, description, groups, is_static, deleted, is_calculating, version,
       pending_version, attempted_version, errors_calculating, created_at, updated_at)
     SELECT $1, id, id::text, '', '[]', false, false, false, version, 9, 9, 0, now(), now()
     FROM (VALUES (7, 3), (8, 4)) AS one (id, version)`,
    [project],
  );
  // The lowest bit of the first byte is the first person: 0 and 9, and in the chunk after it the last one.
  const [first, second] = [Buffer.alloc(128), Buffer.alloc(128)];
  first.set([0b1, 0b10]);
  second[127] = 0b1000_0000;
  await scene.pool.query(
    `INSERT INTO cohort_member_chunks (project_id, cohort_id, chunk, bits)
     VALUES ($1, 7, 0, $2), ($1, 7, 5, $3), ($1, 8, 0, $2)`,
    [project, first, second],
  );
  const refs = ['7:3:0', '7:3:5', '7:3:6', '8:3:0'];
  await scene.write((client) => scene.tell(client, project, { kind: 'calculated_cohorts', refs }));
  await scene.shipAll();
  const members = await scene.clickhouse.query(
    sql`SELECT cohort_id, version, toString(actor) AS actor FROM cohort_members WHERE project_id = ${unsigned(project)}
        ORDER BY cohort_id, cohort_members.actor`,
    { project: { id: project } },
  );
  expect(members).toEqual(['0', '9', '6143'].map((actor) => ({ cohort_id: 7, version: 3, actor })));
});
