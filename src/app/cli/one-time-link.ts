import { type LinkPurpose } from '../../auth/links/one-time-link.entity.js';
import { UsageError, type CommandContext, type GivenWords, type Option } from './command.js';
import { type Row } from './output.js';

export const consoleUrlOption: Option = {
  value: 'URL',
  about:
    'where people reach the console, such as https://kohort.example.com; without it, PUBLIC_URL, or this machine at PORT',
};

const names = { set_password: 'invitation', sign_in: 'signin' } as const;

/** The origin of the console: `--url`, else PUBLIC_URL, else this machine at PORT. */
export const consoleOrigin = ({ config, flags }: Pick<GivenWords, 'config' | 'flags'>): string => {
  const url = flags.url ?? config.publicOrigin ?? `http://localhost:${config.port}`;
  if (!URL.canParse(url)) throw new UsageError(`--url: ${url} is not a URL such as https://kohort.example.com`);
  return new URL(url).origin;
};

/** Makes a link by which a user sets a password, or signs in. */
export const linkFor = async (
  { get, config, flags }: Pick<CommandContext, 'get' | 'config' | 'flags'>,
  userId: number,
  purpose: LinkPurpose,
): Promise<Row> => {
  const origin = consoleOrigin({ config, flags });
  const { linkOf, OneTimeLinks } = await import('../../auth/links/one-time-links.js');
  const { token, expiresAt } = await (await get(OneTimeLinks)).make(userId, purpose, new Date());
  return { link: linkOf(origin, names[purpose], token), link_expires_at: expiresAt.toISOString() };
};
