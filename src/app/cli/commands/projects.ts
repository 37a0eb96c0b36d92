import { type ProjectDto } from '../../../projects/project.dto.js';
import { requireFlag, type Command } from '../command.js';
import { projectsService } from '../project-flag.js';

const projectRow = ({ id, name, api_token, timezone }: ProjectDto) => ({ id, name, api_token, timezone });

export const projectCreate: Command = {
  name: 'project create',
  usage: 'project create --name "Web shop" [--timezone Europe/Berlin]',
  summary: 'create a project',
  options: {
    name: { value: 'NAME', about: 'the name of the project' },
    timezone: { value: 'ZONE', about: 'the time zone of its days; without it, UTC' },
  },
  check: ({ flags }) => void requireFlag(flags, 'name'),
  run: async (context) => {
    const { flags } = context;
    const fields = { name: requireFlag(flags, 'name'), timezone: flags.timezone };
    return projectRow(await (await projectsService(context)).create(fields, new Date()));
  },
};

export const projectList: Command = {
  name: 'project list',
  usage: 'project list',
  summary: 'list all projects',
  options: {},
  run: async (context) => (await (await projectsService(context)).all()).map(projectRow),
};
