import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Who is in each cohort, who entered and left it, and which persons departed. Cohorts that exist already are calculated or
 * read again, and their members recorded then.
 */
export class CohortChanges1765700000000 implements MigrationInterface {
  name = 'CohortChanges1765700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE cohort_member_chunks (
        project_id integer NOT NULL,
        cohort_id integer NOT NULL,
        chunk bigint NOT NULL,
        bits bytea NOT NULL,
        PRIMARY KEY (project_id, cohort_id, chunk),
        CONSTRAINT cohort_member_chunks_cohort_fkey FOREIGN KEY (project_id, cohort_id) REFERENCES cohorts (project_id, id)
      ) WITH (fillfactor = 70)`);
    await runner.query('CREATE INDEX cohort_member_chunks_chunk ON cohort_member_chunks (project_id, chunk)');
    await runner.query(`
      CREATE TABLE cohort_changes (
        project_id integer NOT NULL,
        cohort_id integer NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        at timestamptz NOT NULL,
        reason text NOT NULL,
        entered boolean NOT NULL,
        count integer NOT NULL,
        persons bytea NOT NULL,
        PRIMARY KEY (project_id, cohort_id, id),
        CONSTRAINT cohort_changes_cohort_fkey FOREIGN KEY (project_id, cohort_id) REFERENCES cohorts (project_id, id)
      )`);
    await runner.query('CREATE INDEX cohort_changes_at ON cohort_changes (at)');
    await runner.query(`
      CREATE TABLE person_departures (
        project_id integer NOT NULL REFERENCES projects (id),
        person_id bigint NOT NULL,
        departed_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, person_id)
      )`);
    await runner.query('CREATE INDEX person_departures_at ON person_departures (project_id, departed_at)');
    await runner.query(`
      ALTER TABLE cohorts
        DROP COLUMN count,
        ADD COLUMN changes_from timestamptz,
        ADD COLUMN is_redefined boolean NOT NULL DEFAULT false,
        ADD COLUMN last_switch bigint NOT NULL DEFAULT 0,
        ADD COLUMN departed_at_switch bigint[] NOT NULL DEFAULT '{}',
        ADD COLUMN replaced_at_switch bigint[] NOT NULL DEFAULT '{}',
        ADD COLUMN forgotten_change bigint NOT NULL DEFAULT 0`);
    await runner.query(`
      UPDATE cohorts SET is_calculating = true, pending_version = greatest(pending_version, attempted_version) + 1,
        calculate_after = NULL, calculation_now = NULL
      WHERE NOT deleted`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE cohorts
        DROP COLUMN changes_from, DROP COLUMN is_redefined, DROP COLUMN last_switch, DROP COLUMN departed_at_switch,
        DROP COLUMN replaced_at_switch, DROP COLUMN forgotten_change, ADD COLUMN count bigint`);
    await runner.query('DROP TABLE person_departures');
    await runner.query('DROP TABLE cohort_changes');
    await runner.query('DROP TABLE cohort_member_chunks');
  }
}
