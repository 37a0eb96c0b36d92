import { CommandRefused, requireFlag, type Command, type GivenWords } from '../command.js';
import { newUserEmail } from '../email-flag.js';
import { consoleUrlOption, linkFor } from '../one-time-link.js';

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
