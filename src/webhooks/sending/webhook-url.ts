import { isIP } from 'node:net';
import { invalidInput } from '../../platform/errors/problem.js';
import { isPublicAddress } from './addresses.js';

export const maxUrlLength = 2000;

const example = 'https://crm.example.com/kohort';

/** Returns the host without the brackets of an IPv6 address, and without the dot that may end a full name. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

/**
 * True if the host is a private address or this machine. `URL` has already rewritten decimal, octal and hexadecimal spellings of
 * an address.
 */
const isSurelyPrivate = (host: string): boolean => {
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return host === 'localhost' || host.endsWith('.localhost');
};

/** Refuses text that cannot be the address of a receiver. The addresses that a name resolves to are checked at each delivery. */
export const readWebhookUrl = (text: string, { allowPrivate }: { readonly allowPrivate: boolean }): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || hostOf(url) === '')
    throw invalidInput(`url must be an address that begins with https:// or http://, such as ${example}`, 'url');
  if (url.username !== '' || url.password !== '')
    throw invalidInput('url must not contain a user or a password: receivers check the signature instead', 'url');
  if (!allowPrivate && isSurelyPrivate(hostOf(url)))
    throw invalidInput(
      'url must have a public address: private ones are refused unless the service runs with WEBHOOK_ALLOW_PRIVATE=1',
      'url',
    );
  url.hash = '';
  if (url.href.length > maxUrlLength) throw invalidInput(`url must have at most ${maxUrlLength} characters`, 'url');
  return url.href;
};
