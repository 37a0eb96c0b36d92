import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.js';

/** Returns the addresses of a name, or rejects. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Asks the name servers, and neither the hosts file nor the threads of the process, which a slow name server would hold up for
 * other work.
 */
export const publicNames: Resolve = (host) => namesFrom(new Resolver({ timeout: 2000, tries: 2 }), host);

export const namesFrom = async (resolver: Resolver, host: string): Promise<readonly string[]> => {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
  return [v4, v6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
};

/** Resolves names as other programs of the machine do, for receivers in a private network. */
export const systemNames: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** The receiver has an address that must not be called. */
export class PrivateReceiver extends Error {}

/** The name of the receiver has no address. */
export class UnknownReceiver extends Error {}

export interface AddressRules {
  readonly resolve: Resolve;
  readonly allowPrivate: boolean;
}

/**
 * Returns the one address to which a request may go; it is not resolved again. A name with a private address beside a public
 * one is refused, because it is an attempt to reach the private one.
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
