import { type MigrationInterface, type QueryRunner } from 'typeorm';

const statements = [
  `ALTER TABLE cohorts ADD COLUMN group_type_index smallint`,
  `CREATE TABLE static_cohort_groups (
    project_id integer NOT NULL,
    cohort_id integer NOT NULL,
    group_id bigint NOT NULL,
    added_at timestamptz NOT NULL,
    upload integer,
    query_run integer NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, cohort_id, group_id),
    FOREIGN KEY (project_id, cohort_id) REFERENCES cohorts (project_id, id),
    FOREIGN KEY (project_id, group_id) REFERENCES groups (project_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX static_cohort_groups_group ON static_cohort_groups (project_id, group_id)`,
  `CREATE TABLE group_departures (
    project_id integer NOT NULL REFERENCES projects (id),
    group_id bigint NOT NULL,
    departed_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, group_id)
  )`,
  `CREATE INDEX group_departures_at ON group_departures (project_id, departed_at)`,
  // Both lists only become longer.
  `ALTER TABLE cohort_candidates DROP CONSTRAINT cohort_candidates_kind_check,
    ADD CONSTRAINT cohort_candidates_kind_check CHECK (kind IN ('id', 'uuid', 'distinct_id', 'email', 'key', 'unreadable'))`,
  `ALTER TABLE cohort_candidates DROP CONSTRAINT cohort_candidates_source_check,
    ADD CONSTRAINT cohort_candidates_source_check CHECK (source IN ('csv', 'person_ids', 'distinct_ids', 'group_ids', 'group_keys'))`,
];

export class CohortsOfGroups1767360000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['group_departures', 'static_cohort_groups']) await runner.query(`DROP TABLE ${table}`);
    await runner.query('ALTER TABLE cohorts DROP COLUMN group_type_index');
  }
}
