import { BlockList, isIP, SocketAddress } from 'node:net';

const refusedV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carriers; metadata of some clouds
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // the metadata server of Azure, which is a public address
  '169.254.0.0/16', // link-local; metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocols; metadata of Oracle
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];

/** The only part of IPv6 that is routed publicly. It contains no mapped, translated (NAT64), private or link-local address. */
const publicV6 = ['2000::/3'];

const refusedV6 = [
  '2001::/23', // protocols, among them Teredo, which contains an IPv4 address
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which contains an IPv4 address
  '3fff::/20', // documentation
];

const listOf = (family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
};

const lists = {
  refusedV4: listOf('ipv4', refusedV4),
  publicV6: listOf('ipv6', publicV6),
  refusedV6: listOf('ipv6', refusedV6),
};

/** True if the address belongs to the public internet. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address);
  if (family === 4) return !lists.refusedV4.check(address, 'ipv4');
  // An address with a zone (`%eth0`) is bound to one network interface.
  if (family !== 6 || address.includes('%')) return false;
  const v6 = new SocketAddress({ address, family: 'ipv6' });
  return lists.publicV6.check(v6) && !lists.refusedV6.check(v6);
};

/** Returns the host without the brackets of an IPv6 address, and without the dot that may end a full name. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

/**
 * True if the host is a private address or this machine. `URL` has already rewritten decimal, octal and hexadecimal spellings of
 * an address.
 */
export const isSurelyPrivate = (host: string): boolean => {
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return host === 'localhost' || host.endsWith('.localhost');
};
