import { type ProjectsService } from '../../projects/projects.service.js';
import { CommandRefused, UsageError, type CommandContext, type Option } from './command.js';

export const projectOption: Option = { value: 'ID', about: 'the project; may be omitted when there is only one' };

export const projectsService = async ({ get }: Pick<CommandContext, 'get'>): Promise<ProjectsService> => {
  const { ProjectsService } = await import('../../projects/projects.service.js');
  return get(ProjectsService);
};

/** The project that `--project` names; without the flag, the only project of the installation. */
export const namedProject = async (context: CommandContext): Promise<number> => {
  const { project } = context.flags;
  const ids = (await (await projectsService(context)).all()).map(({ id }) => id);
  if (ids.length === 0)
    throw new CommandRefused('there is no project: use "project create", or "bootstrap" in a new installation');
  const [only] = ids;
  if (project === undefined && ids.length === 1 && only !== undefined) return only;
  if (project === undefined) throw new UsageError(`--project is required: one of ${ids.join(', ')}`);
  const id = ids.find((known) => String(known) === project);
  if (id === undefined) throw new UsageError(`there is no project ${project}: use one of ${ids.join(', ')}`);
  return id;
};
