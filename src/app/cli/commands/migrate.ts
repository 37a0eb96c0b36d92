import { type Command } from '../command.js';

export const migrateCommand: Command = {
  name: 'migrate',
  usage: 'migrate',
  summary: 'bring the schema of both stores up to date, as every start does',
  options: {},
  begins: true,
  run: async (context) => {
    const { migrated, besideService } = context.database;
    const postgres = migrated.length > 0 ? migrated : 'up to date';
    if (besideService) return { postgres, clickhouse: 'done by the running service' };
    const { withMigratedClickHouse } = await import('../clickhouse.js');
    await withMigratedClickHouse(context, () => Promise.resolve());
    return { postgres, clickhouse: 'up to date' };
  },
};
