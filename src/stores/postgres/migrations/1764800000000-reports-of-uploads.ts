import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What became of the rows of an upload: a row that named no person left no trace. */
export class ReportsOfUploads1764800000000 implements MigrationInterface {
  name = 'ReportsOfUploads1764800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE cohort_uploads (
        project_id integer NOT NULL,
        cohort_id integer NOT NULL,
        number integer NOT NULL,
        rows bigint NOT NULL DEFAULT 0,
        matched bigint NOT NULL DEFAULT 0,
        unknown bigint NOT NULL DEFAULT 0,
        duplicates bigint NOT NULL DEFAULT 0,
        unmatched jsonb NOT NULL DEFAULT '[]',
        uploaded_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, cohort_id),
        FOREIGN KEY (project_id, cohort_id) REFERENCES cohorts (project_id, id)
      )`);
    await runner.query(`
      ALTER TABLE cohort_candidates
        ADD COLUMN upload integer,
        ADD COLUMN source text CHECK (source IN ('csv', 'person_ids', 'distinct_ids')),
        ADD COLUMN at bigint,
        DROP CONSTRAINT cohort_candidates_kind_check,
        ADD CONSTRAINT cohort_candidates_kind_check
          CHECK (kind IN ('id', 'uuid', 'distinct_id', 'email', 'unreadable'))`);
    await runner.query(`ALTER TABLE static_cohort_members ADD COLUMN upload integer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE static_cohort_members DROP COLUMN upload`);
    await runner.query(`DELETE FROM cohort_candidates WHERE kind = 'unreadable'`);
    await runner.query(`
      ALTER TABLE cohort_candidates
        DROP COLUMN upload, DROP COLUMN source, DROP COLUMN at,
        DROP CONSTRAINT cohort_candidates_kind_check,
        ADD CONSTRAINT cohort_candidates_kind_check CHECK (kind IN ('id', 'uuid', 'distinct_id', 'email'))`);
    await runner.query(`DROP TABLE cohort_uploads`);
  }
}
