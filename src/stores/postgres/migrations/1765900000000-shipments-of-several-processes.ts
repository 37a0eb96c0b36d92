import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Several processes ship at the same time, each the changes of other projects. A process of an earlier release, which ships all
 * projects, can begin no shipment without the new columns.
 */
export class ShipmentsOfSeveralProcesses1765900000000 implements MigrationInterface {
  name = 'ShipmentsOfSeveralProcesses1765900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE shipments ADD COLUMN holder uuid, ADD COLUMN projects integer[]');
    await runner.query(`
      UPDATE shipments AS s SET
        holder = coalesce((SELECT l.holder FROM leases AS l WHERE l.name = 'projection'), gen_random_uuid()),
        projects = ARRAY(SELECT DISTINCT o.project_id FROM outbox AS o WHERE o.id = ANY (s.outbox_ids))`);
    await runner.query('ALTER TABLE shipments ALTER COLUMN holder SET NOT NULL, ALTER COLUMN projects SET NOT NULL');
    await this.allow(runner, ['requested', 'copying', 'draining', 'swapping', 'done', 'failed']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE projection_rebuilds SET phase = 'copying' WHERE phase = 'draining'`);
    await this.allow(runner, ['requested', 'copying', 'swapping', 'done', 'failed']);
    await runner.query('ALTER TABLE shipments DROP COLUMN holder, DROP COLUMN projects');
  }

  private async allow(runner: QueryRunner, phases: readonly string[]): Promise<void> {
    const list = phases.map((phase) => `'${phase}'`).join(', ');
    await runner.query('ALTER TABLE projection_rebuilds DROP CONSTRAINT projection_rebuilds_phase_check');
    await runner.query(
      `ALTER TABLE projection_rebuilds ADD CONSTRAINT projection_rebuilds_phase_check CHECK (phase IN (${list}))`,
    );
  }
}
