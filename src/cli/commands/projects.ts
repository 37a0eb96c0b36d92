import { ProjectsService } from '../../projects/projects.service.js';
import { demandFlag, type Command } from '../command.js';
import { type ProjectDto } from '../../projects/project.dto.js';

const projectRow = ({ id, name, api_token, timezone }: ProjectDto) => ({ id, name, api_token, timezone });

export const projectCreate: Command = {
  name: 'project create',
  usage: 'project create --name "Web shop" [--timezone Europe/Berlin]',
  summary: 'create a project',
  options: {
    name: { value: 'NAME', about: 'the name of the project' },
    timezone: { value: 'ZONE', about: 'the time zone of its days; without it, UTC' },
  },
  run: async ({ app, flags }) =>
    projectRow(
      await app.get(ProjectsService).create({ name: demandFlag(flags, 'name'), timezone: flags.timezone }, new Date()),
    ),
};

export const projectList: Command = {
  name: 'project list',
  usage: 'project list',
  summary: 'list all projects',
  options: {},
  run: async ({ app }) => (await app.get(ProjectsService).all()).map(projectRow),
};
