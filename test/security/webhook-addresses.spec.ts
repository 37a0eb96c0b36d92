import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { isPublicAddress } from '../../src/platform/http/addresses.js';
import { type Resolve } from '../../src/platform/http/resolve.js';
import { send } from '../../src/webhooks/sending/send.js';
import { readWebhookUrl } from '../../src/webhooks/sending/webhook-url.js';

/** Listens on every address of this machine, of both families, and must never be reached. */
let canary: Server;
let port: number;
let reached = 0;

beforeAll(async () => {
  canary = createServer((_, response) => response.end('secret'));
  canary.on('connection', () => (reached += 1));
  canary.listen(0);
  await once(canary, 'listening');
  ({ port } = canary.address() as AddressInfo);
});
afterAll(async () => {
  canary.closeAllConnections();
  canary.close();
  await once(canary, 'close');
});

const privateAddresses = `
  127.0.0.1 127.0.0.2 127.1.1.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255
  192.168.0.1 192.168.255.255 169.254.169.254 169.254.170.2 169.254.0.1 100.64.0.1 100.100.100.200 100.127.255.255 168.63.129.16
  192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255
  240.0.0.1 255.255.255.255 ::1 :: ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:7f00:1 ::ffff:8.8.8.8
  ::127.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1 fe80::1 fe80::a00:1
  febf::1 fec0::1 fc00::1 fd00::1 fd00:ec2::254 fd20:ce::254 fdff::1 ff02::1 ff05::2 2001::1 2001:0:7f00:1:: 2001:10::1 2001:20::1
  2001:db8::1 2002:7f00:1:: 2002:a9fe:a9fe:: 2002:a00:1::1 3fff::1 4000::1 5f00::1 e000::1`
  .trim()
  .split(/\s+/);

const publicAddresses =
  `8.8.8.8 1.1.1.1 93.184.216.34 172.15.255.255 172.32.0.1 100.63.255.255 100.128.0.1 169.253.1.1 192.0.1.1 198.17.1.1
  223.255.255.255 2001:4860:4860::8888 2606:4700:4700::1111 2a00:1450:4001::1 2003::1 2001:200::1`.split(/\s+/);

const bracketed = (address: string) => (address.includes(':') ? `[${address}]` : address);

/** Hosts that are an address in another spelling, or another way to it. */
const spellings =
  `2130706433 0x7f000001 017700000001 0x7f.1 0x7f.0.0.1 0177.0.0.1 0177.0.0.01 127.1 127.0.1 127.000.000.001 0 0x0
  0x7f.0x0.0x0.0x1 00000177.0.0.1 2852039166 0xa9fea9fe 025177524776 169.254.43518 0xa9.0xfe.0xa9.0xfe 3232235521 10.1 0x0a000001
  ①②⑦.0.0.1 127。0。0。1 １２７.0.0.1 127.0.0.1. localhost LOCALHOST localhost. api.localhost ⓛocalhost
  [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:0001] [0000:0000:0000:0000:0000:ffff:7f00:0001] [::FFFF:127.0.0.1] [::]`
    .trim()
    .split(/\s+/);

const rules = (resolve: Resolve) => ({ resolve, allowPrivate: false, timeoutMs: 3000 });
const message = (url: string) => ({ url, headers: {}, body: '{}' });
const sendTo = (url: string, resolve: Resolve = () => Promise.reject(new Error('unknown'))) =>
  send(message(url), rules(resolve));
const refusal = 'The receiver has a private address, which this installation refuses';

const refusalOf = (url: string): string | null => {
  try {
    readWebhookUrl(url, { allowPrivate: false });
    return null;
  } catch (error) {
    return (error as { attr: string }).attr;
  }
};

describe('an address', () => {
  it('is public or not', () => {
    expect(privateAddresses.filter(isPublicAddress)).toEqual([]);
    expect(publicAddresses.filter((address) => !isPublicAddress(address))).toEqual([]);
    expect(
      ['fe80::1%eth0', '2606:4700::1%lo', 'example.com', '', '127.1', '0177.0.0.1'].filter(isPublicAddress),
    ).toEqual([]);
    expect(privateAddresses.length + spellings.length).toBeGreaterThan(100);
  });
});

describe('a receiver with an address that is not public', () => {
  it.each(['http', 'https'])('is not reached by %s, however the address is written', async (scheme) => {
    for (const host of [...privateAddresses.map(bracketed), ...spellings]) {
      const url = `${scheme}://${host}:${port}/hook`;
      expect([url, refusalOf(url)]).toEqual([url, 'url']);
      // An address that was stored before it was refused.
      if (URL.canParse(url)) expect([url, (await sendTo(url)).status]).toEqual([url, null]);
    }
    expect(reached).toBe(0);
  });

  it('is not reached by a name', async () => {
    for (const address of privateAddresses) {
      const url = `http://rebound.example.com:${port}/`;
      expect(await sendTo(url, () => Promise.resolve([address]))).toEqual({ status: null, error: refusal });
      // A public address beside it changes nothing, in either order.
      for (const answer of [
        ['93.184.216.34', address],
        [address, '93.184.216.34'],
      ])
        expect(await sendTo(url, () => Promise.resolve(answer))).toEqual({ status: null, error: refusal });
    }
    expect(reached).toBe(0);
  });

  it('is not reached by a name that resolves to another address the second time', async () => {
    let resolved = 0;
    const rebinding: Resolve = () => {
      resolved += 1;
      // Public, and of no network.
      return Promise.resolve([resolved === 1 ? '3000::1' : '127.0.0.1']);
    };
    const sent = await send(message(`http://rebound.example.com:${port}/`), { ...rules(rebinding), timeoutMs: 500 });
    expect([sent.status, resolved, reached]).toEqual([null, 1, 0]);
    expect(await sendTo(`http://rebound.example.com:${port}/`, rebinding)).toEqual({ status: null, error: refusal });
    expect(reached).toBe(0);
  });

  it('is not reached by an answer of the name server that is no address', async () => {
    for (const odd of ['localhost', '127.1', '', 'fe80::1%lo', '0x7f.1', '127.0.0.1 '])
      expect((await sendTo(`http://odd.example.com:${port}/`, () => Promise.resolve([odd]))).status).toBeNull();
    expect(await sendTo('http://none.example.com/', () => Promise.resolve([]))).toMatchObject({
      error: 'The name of the receiver could not be resolved',
    });
    expect(reached).toBe(0);
  });

  it.each([
    ['a user', 'http://127.0.0.1@example.com/'],
    ['a user and a password', 'http://user:pass@example.com/'],
    ['an address as a user', 'http://example.com@127.0.0.1/'],
    ['a backslash', 'http://127.0.0.1\\@example.com/'],
    ['another scheme', 'file:///etc/passwd'],
    ['the scheme of gopher', 'gopher://127.0.0.1:70/_'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/plain,x'],
    ['no host', 'http://'],
    ['a port that does not exist', 'http://example.com:99999/'],
    ['text', 'not an address'],
  ])('is refused with %s', (_, url) => {
    expect(refusalOf(url)).toBe('url');
  });

  it('may have any port, and an ordinary address is accepted', () => {
    for (const url of ['https://example.com:8443/a?b=c', 'http://8.8.8.8:9000/', 'https://[2606:4700:4700::1111]/'])
      expect(readWebhookUrl(url, { allowPrivate: false })).toBe(url);
    expect(readWebhookUrl('HTTPS://Example.com/#part', { allowPrivate: false })).toBe('https://example.com/');
  });

  it('is not reached by a redirect', async () => {
    const redirecting = createServer((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end(),
    ).listen(0, '127.0.0.1');
    await once(redirecting, 'listening');
    try {
      const own = (redirecting.address() as AddressInfo).port;
      // The one receiver that this test may reach.
      const allowed = { ...rules(() => Promise.resolve(['127.0.0.1'])), allowPrivate: true };
      expect(await send(message(`http://moved.example.com:${own}/`), allowed)).toMatchObject({
        status: 307,
        error: 'The receiver answered with a redirect, which is not followed',
      });
    } finally {
      redirecting.close();
    }
    expect(reached).toBe(0);
  });

  it('is reached where the installation allows it, by the name of the URL', async () => {
    const allowed = { ...rules(() => Promise.resolve(['127.0.0.1'])), allowPrivate: true };
    expect(await send(message(`http://inside.example.com:${port}/`), allowed)).toMatchObject({
      status: 200,
      error: null,
    });
    expect(reached).toBe(1);
  });
});
