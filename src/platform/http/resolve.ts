import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.js';

/** Returns the addresses of a name, or rejects. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Asks the name servers directly. The lookup of the system would read the hosts file, and a slow name server would occupy the
 * threads that other work of the process needs.
 */
export const publicNames: Resolve = (host) => namesFrom(new Resolver({ timeout: 2000, tries: 2 }), host);

export const namesFrom = async (resolver: Resolver, host: string): Promise<readonly string[]> => {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
  return [v4, v6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
};

/** Resolves names as other programs of the machine do, so that receivers in a private network are found. */
export const systemNames: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** Thrown when the receiver has an address that must not be called. */
export class PrivateReceiver extends Error {}

/** Thrown when the name of the receiver has no address. */
export class UnknownReceiver extends Error {}

export interface AddressRules {
  readonly resolve: Resolve;
  readonly allowPrivate: boolean;
}

/**
 * Returns the one address to which the request goes; the name is not resolved a second time. A name that has both public and
 * private addresses is refused, because it is an attempt to reach the private address.
 */
export const addressOf = async (host: string, { resolve, allowPrivate }: AddressRules): Promise<string> => {
  const addresses = isIP(host) === 0 ? await resolved(host, resolve) : [host];
  if (!allowPrivate && !addresses.every(isPublicAddress)) throw new PrivateReceiver();
  const [first] = addresses;
  if (first === undefined || isIP(first) === 0) throw new UnknownReceiver();
  return first;
};

const resolved = async (host: string, resolve: Resolve): Promise<readonly string[]> => {
  try {
    return await resolve(host);
  } catch {
    throw new UnknownReceiver();
  }
};
