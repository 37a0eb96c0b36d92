import { readSmallId } from '../../common/ids.js';
import { UsageError, type Command, type Flags } from '../command.js';

const projectOf = ({ project }: Flags): number | null => {
  const id = project === undefined ? null : readSmallId(project);
  if (project !== undefined && id === null) throw new UsageError('--project must be the id of a project');
  return id;
};

export const cohortsRecalculate: Command = {
  name: 'cohorts recalculate',
  usage: 'cohorts recalculate [--project <id>]',
  summary: 'queue all dynamic cohorts of one project, or of all projects, for calculation',
  options: { project: { value: 'ID', about: 'only the cohorts of this project' } },
  check: ({ flags }) => void projectOf(flags),
  run: async ({ database, flags }) => {
    const { queueAll } = await import('../../cohorts/calculation-queue.js');
    return { queued: await queueAll(database.postgres, projectOf(flags)) };
  },
};
