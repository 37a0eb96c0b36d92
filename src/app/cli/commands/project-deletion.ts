import { readSmallId } from '../../../platform/values/ids.js';
import { type ProjectDeletions } from '../../../projects/deletion/project-deletions.js';
import { type ProjectDeletionDto } from '../../../projects/deletion/project-deletion.dto.js';
import {
  CommandRefused,
  UsageError,
  requireFlag,
  type Command,
  type CommandContext,
  type GivenWords,
} from '../command.js';
import { projectsService } from '../project-flag.js';

const projectIn = ({ args: [id] }: GivenWords): number => {
  const project = readSmallId(id);
  if (project === null) throw new UsageError('name the project by its id: "project list" shows it');
  return project;
};

const deletionsOf = async ({ get }: CommandContext): Promise<ProjectDeletions> => {
  const { ProjectDeletions } = await import('../../../projects/deletion/project-deletions.js');
  return get(ProjectDeletions);
};

const totalOf = (rows: Readonly<Record<string, number>>): number =>
  Object.values(rows).reduce((sum, number) => sum + number, 0);

const rowOf = (deletion: ProjectDeletionDto) => ({
  id: deletion.id,
  project: deletion.project_id,
  name: deletion.project_name,
  state: deletion.state,
  requested_at: deletion.requested_at,
  rows_in_postgresql: totalOf(deletion.removed.postgresql),
  rows_in_clickhouse: totalOf(deletion.removed.clickhouse),
  completed_at: deletion.completed_at,
  verified_at: deletion.verified_at,
  settled_at: deletion.settled_at,
  error: deletion.error,
});

export const projectDelete: Command = {
  name: 'project delete',
  usage: 'project delete 2 --name "Web shop"',
  summary: 'delete a project with all that belongs to it; the service removes it in the background',
  arguments: 1,
  options: { name: { value: 'NAME', about: 'the name of the project, which confirms that this one is meant' } },
  check: (given) => {
    projectIn(given);
    requireFlag(given.flags, 'name');
  },
  run: async (context) => {
    const [id, name] = [projectIn(context), requireFlag(context.flags, 'name')];
    const project = (await (await projectsService(context)).all()).find((known) => known.id === id);
    if (!project) throw new CommandRefused(`there is no project ${id}: "project list" shows those that exist`);
    if (project.name !== name)
      throw new CommandRefused(`--name must be the name of project ${id}, exactly as "project list" shows it`);
    return rowOf(await (await deletionsOf(context)).requestByOperator(id, name));
  },
};

export const projectDeletions: Command = {
  name: 'project deletions',
  usage: 'project deletions',
  summary: 'list the deleted projects, newest first, with the receipts of their deletions',
  options: {},
  run: async (context) => (await (await deletionsOf(context)).all()).map(rowOf),
};
