import { type Request } from 'express';
import { isIP, isIPv4, isIPv6 } from 'node:net';

const mappedV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The key under which a remote address is counted: the IPv4 address itself, or the /64 network of an IPv6 address, because one
 * subscriber has all addresses of such a network. Null for text that is no address, which a forged header may contain.
 */
export const addressGroup = (address: string): string | null => {
  if (isIPv4(address)) return address;
  const bare = address.split('%', 1)[0] ?? '';
  const [, v4] = mappedV4.exec(bare) ?? [];
  if (v4 !== undefined) return isIP(v4) ? v4 : null;
  if (!isIPv6(bare)) return isIP(bare) ? bare : null;
  return `${networkOf(bare).join(':')}::/64`;
};

/** The network of an address, IPv4 /24 or IPv6 /48: just enough for a user to recognise a session. */
export const shortAddress = (request: Request): string => {
  const group = clientAddress(request);
  if (isIP(group)) return group.replace(/\.\d+$/, '.0/24');
  return group.replace(/^((?:[^:]+:){3})[^:]+::\/64$/, '$1:/48');
};

/** The first four of the eight groups, including those that `::` omits. */
const networkOf = (address: string): string[] => {
  const [head = [], tail = []] = address
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
    .map((groups) => groups.flatMap((group) => (group.includes('.') ? ['0', '0'] : [group])));
  const left = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return [...head, ...left, ...tail].slice(0, 4).map((group) => parseInt(group, 16).toString(16));
};

/** The key under which a request is counted: the address that a trusted proxy forwards, unless that is not an address. */
export const clientAddress = (request: Request): string =>
  addressGroup(request.ip ?? '') ?? addressGroup(request.socket.remoteAddress ?? '') ?? 'unknown';
