import { type ProjectDto } from '../../../projects/project.dto.js';
import { type Command, CommandRefused, type GivenWords, requireFlag } from '../command.js';
import { projectsService } from '../project-flag.js';
import { newUserEmail } from '../email-flag.js';
import { consoleUrlOption, linkFor } from '../one-time-link.js';

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

const demo = { email: 'demo@kohort.local', project: 'Demo' };

/** Production has no defaults: a demo project there would let attackers in. */
const namesOf = ({ config, flags }: GivenWords) => ({
  email: newUserEmail(config.production ? requireFlag(flags, 'email') : (flags.email ?? demo.email)),
  projectName: config.production ? requireFlag(flags, 'project') : (flags.project ?? demo.project),
});

export const bootstrap: Command = {
  name: 'bootstrap',
  usage: 'bootstrap --email you@example.com --project "My project"',
  summary: 'create the first project, user and key of an installation, and a link by which the user sets a password',
  options: {
    email: { value: 'E-MAIL', about: 'the user to whom the key belongs' },
    project: { value: 'NAME', about: 'the name of the project' },
    url: consoleUrlOption,
  },
  begins: true,
  check: (given) => void namesOf(given),
  run: async (context) => {
    const { BootstrapService } = await import('../../start/bootstrap.service.js');
    const service = await context.get(BootstrapService);
    const made = await service.bootstrap({ ...namesOf(context), keyLabel: 'bootstrap' }, new Date());
    if (!made) throw new CommandRefused('there is a project already: use "project create" and "key create"');
    if (!context.config.console) return { ...made };
    const { UsersService } = await import('../../../auth/users/users.service.js');
    const user = await (await context.get(UsersService)).getOrCreate(made.user_email, new Date());
    return { ...made, ...(await linkFor(context, user.id, 'set_password')) };
  },
};
