import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A shipment that fails again and again waits for the operator, so that those of other projects go on. */
export class ParkedShipments1765600000000 implements MigrationInterface {
  name = 'ParkedShipments1765600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE shipments
        ADD COLUMN project_id integer,
        ADD COLUMN replaces bigint,
        ADD COLUMN failures integer NOT NULL DEFAULT 0,
        ADD COLUMN error text,
        ADD COLUMN parked_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE shipments
        DROP COLUMN project_id, DROP COLUMN replaces, DROP COLUMN failures, DROP COLUMN error, DROP COLUMN parked_at`);
  }
}
