import { UsageError, type GivenWords, type StorelessCommand } from '../command.js';

export const mcpCommand: StorelessCommand = {
  name: 'mcp',
  usage: 'mcp [--url https://kohort.example.com]',
  summary: 'offer the tools of a running service to a program over stdin and stdout; KOHORT_KEY has the API key',
  options: { url: { value: 'URL', about: 'the address of the service; without it, PORT of this machine' } },
  check: (given) => void [addressOf(given), keyOf(given)],
  runWithoutStores: async (given) => {
    const { forwardMessages } = await import('../../../mcp/forward-messages.js');
    await forwardMessages(addressOf(given), keyOf(given));
    return '';
  },
};

const addressOf = ({ flags, config }: GivenWords): URL => {
  const text = flags.url ?? `http://localhost:${config.port}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new UsageError(`--url must be the address of a service, such as https://kohort.example.com, not ${text}`);
};

const keyOf = ({ config: { clientKey } }: GivenWords): string => {
  if (clientKey !== null) return clientKey;
  throw new UsageError('set KOHORT_KEY to an API key (phx_…), whose scopes decide which tools there are');
};
