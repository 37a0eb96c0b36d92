import { CommandRefused, type Command } from '../command.js';

export const citusDistribute: Command = {
  name: 'citus distribute',
  usage: 'citus distribute [--dry-run]',
  summary:
    'place the tables of a PostgreSQL with Citus on its nodes, project by project; changes nothing when they are',
  options: { 'dry-run': { value: null, about: 'print what would be placed, and place nothing' } },
  // Otherwise a database that is not distributed yet would be refused before the command runs.
  alone: true,
  run: async ({ database: { dataSource, postgres }, flags }) => {
    const { distribute, distributionOf } = await import('../../../platform/postgres/citus/distribute.js');
    const { underMigrationLock } = await import('../../../kernel/stores/migrate.js');
    return underMigrationLock(dataSource, async () => {
      await dataSource.runMigrations();
      const distribution = await distributionOf(postgres);
      if (!distribution)
        throw new CommandRefused(
          'the database has no Citus: run CREATE EXTENSION citus there, and add the workers with citus_add_node',
        );
      if (distribution.wrong.length > 0)
        throw new CommandRefused(
          `Citus has tables otherwise than the service needs them (${distribution.wrong.join('; ')}): undistribute_table undoes it`,
        );
      const isComplete = distribution.missing.length === 0 && distribution.isSet;
      const isTrial = flags['dry-run'] !== undefined;
      if (!isTrial && !isComplete) await postgres.transaction((client) => distribute(client, distribution));
      return distribution.missing.map(({ table, placement }) => ({
        table,
        placement: placement === 'reference' ? 'whole on every node' : 'by project_id',
        state: isTrial ? 'would be placed' : 'placed',
      }));
    });
  },
};
