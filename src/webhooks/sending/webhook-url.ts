import { invalidInput } from '../../platform/errors/problem.js';
import { hostOf, isSurelyPrivate } from '../../platform/http/addresses.js';

export const maxUrlLength = 2000;

const example = 'https://crm.example.com/kohort';

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
