import { UsersService } from '../../auth/users/users.service.js';
import { CommandRefused, demandFlag, UsageError, type Command } from '../command.js';
import { consoleUrlOption, passwordLink } from '../password-link.js';

const email = { value: 'E-MAIL', about: 'the e-mail of the user' };

export const userInvite: Command = {
  name: 'user invite',
  usage: 'user invite --email you@example.com [--owner] [--url https://kohort.example.com]',
  summary: 'create a user, and print a link by which the user sets a password, once and within 7 days',
  options: {
    email,
    owner: { value: null, about: 'the user owns the installation: may do everything, and manages users' },
    url: consoleUrlOption,
  },
  run: async ({ app, config, flags }) => {
    const address = demandFlag(flags, 'email');
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw new UsageError(`--email: ${address} is not an e-mail address`);
    if (!config.console) throw new CommandRefused('CONSOLE=off: no user can sign in');
    const [users, now] = [app.get(UsersService), new Date()];
    const user = await users.getOrCreate(address, now);
    if (flags.owner) await users.makeOwner(user.id, now);
    return { id: user.id, email: user.email, ...(await passwordLink({ app, config, flags }, user.id)) };
  },
};

export const userResetPassword: Command = {
  name: 'user reset-password',
  usage: 'user reset-password --email you@example.com [--url https://kohort.example.com]',
  summary: 'print a link by which a user sets a new password; it ends all sessions of the user once it is used',
  options: { email, url: consoleUrlOption },
  run: async ({ app, config, flags }) => {
    const address = demandFlag(flags, 'email');
    const user = await app.get(UsersService).findByEmail(address);
    if (!user) throw new CommandRefused(`no user has the e-mail ${address}`);
    return { id: user.id, email: user.email, ...(await passwordLink({ app, config, flags }, user.id)) };
  },
};
