import { queueAll } from '../../cohorts/calculation-queue.js';
import { UsageError, type Command } from '../command.js';
import { readSmallId } from '../../common/ids.js';

export const cohortsRecalculate: Command = {
  name: 'cohorts recalculate',
  usage: 'cohorts recalculate [--project <id>]',
  summary: 'queue all dynamic cohorts of one project, or of all projects, for calculation',
  options: { project: { value: 'ID', about: 'only the cohorts of this project' } },
  run: async ({ database, flags }) => {
    const { project } = flags;
    const id = project === undefined ? null : readSmallId(project);
    if (project !== undefined && id === null) throw new UsageError('--project must be the id of a project');
    return { queued: await queueAll(database.postgres, id) };
  },
};
