import { UsageError, type CommandContext, type Option } from './command.js';
import { type Row } from './output.js';

export const consoleUrlOption: Option = {
  value: 'URL',
  about: 'where people reach the console, such as https://kohort.example.com; without it, this machine',
};

/** Makes a link by which a user sets a password. */
export const passwordLink = async (
  { app, config, flags }: Pick<CommandContext, 'app' | 'config' | 'flags'>,
  userId: number,
): Promise<Row> => {
  const url = flags.url ?? `http://localhost:${config.port}`;
  if (!URL.canParse(url)) throw new UsageError(`--url: ${url} is not a URL such as https://kohort.example.com`);
  const { linkOf, OneTimeLinks } = await import('../auth/links/one-time-links.js');
  const { token, expiresAt } = await app.get(OneTimeLinks).make(userId, 'set_password', new Date());
  return { link: linkOf(new URL(url).origin, 'invitation', token), link_expires_at: expiresAt.toISOString() };
};
