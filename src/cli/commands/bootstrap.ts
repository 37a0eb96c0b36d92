import { CommandRefused, demandFlag, type Command, type GivenWords } from '../command.js';

const demo = { email: 'demo@kohort.local', project: 'Demo' };

/** Production has no defaults: a demo project there would let attackers in. */
const namesOf = ({ config, flags }: GivenWords) => ({
  email: config.production ? demandFlag(flags, 'email') : (flags.email ?? demo.email),
  projectName: config.production ? demandFlag(flags, 'project') : (flags.project ?? demo.project),
});

export const bootstrap: Command = {
  name: 'bootstrap',
  usage: 'bootstrap --email you@example.com --project "My project"',
  summary: 'create the first project, user and key of an installation',
  options: {
    email: { value: 'E-MAIL', about: 'the user to whom the key belongs' },
    project: { value: 'NAME', about: 'the name of the project' },
  },
  check: (given) => void namesOf(given),
  run: async (context) => {
    const { BootstrapService } = await import('../../auth/bootstrap.service.js');
    const service = context.app.get(BootstrapService);
    const made = await service.bootstrap({ ...namesOf(context), keyLabel: 'bootstrap' }, new Date());
    if (!made) throw new CommandRefused('there is a project already: use "project create" and "key create"');
    return { ...made };
  },
};
