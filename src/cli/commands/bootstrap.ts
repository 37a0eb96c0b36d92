import { BootstrapService } from '../../auth/bootstrap.service.js';
import { UsersService } from '../../auth/users/users.service.js';
import { consoleUrlOption, passwordLink } from '../password-link.js';
import { CommandRefused, demandFlag, type Command } from '../command.js';

const demo = { email: 'demo@kohort.local', project: 'Demo' };

export const bootstrap: Command = {
  name: 'bootstrap',
  usage: 'bootstrap --email you@example.com --project "My project"',
  summary: 'create the first project, user and key of an installation, and a link by which the user sets a password',
  options: {
    email: { value: 'E-MAIL', about: 'the user to whom the key belongs' },
    project: { value: 'NAME', about: 'the name of the project' },
    url: consoleUrlOption,
  },
  run: async ({ app, config, flags }) => {
    // Production has no defaults: a demo project there would let attackers in.
    const email = config.production ? demandFlag(flags, 'email') : (flags.email ?? demo.email);
    const projectName = config.production ? demandFlag(flags, 'project') : (flags.project ?? demo.project);
    const made = await app.get(BootstrapService).bootstrap({ projectName, email, keyLabel: 'bootstrap' }, new Date());
    if (!made) throw new CommandRefused('there is a project already: use "project create" and "key create"');
    const user = await app.get(UsersService).getOrCreate(made.user_email, new Date());
    return { ...made, ...(config.console ? await passwordLink({ app, config, flags }, user.id) : {}) };
  },
};
