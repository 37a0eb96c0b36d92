import { oweAll } from '../../cohorts/calculation/queue.js';
import { pgPool } from '../../stores/postgres/pool.js';
import { UsageError, type Command } from '../command.js';

export const cohortsRecalculate: Command = {
  name: 'cohorts recalculate',
  usage: 'cohorts recalculate [--project <id>]',
  summary: 'have the service calculate every dynamic cohort now, of one project or of all',
  options: { project: { type: 'string' } },
  run: async ({ database, flags }) => {
    const { project } = flags;
    if (project !== undefined && !/^\d{1,9}$/.test(project))
      throw new UsageError('--project must be the id of a project');
    return { queued: await oweAll(pgPool(database.dataSource), project === undefined ? null : Number(project)) };
  },
};
