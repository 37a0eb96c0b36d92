import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { namesFrom } from '../../src/platform/http/resolve.js';
import { send } from '../../src/webhooks/sending/send.js';

/** A real name server of an attacker, and a service on this machine that must not be reached. */
let names: Socket;
let canary: Server;
let asked: string[] = [];
let reached = 0;
/** The addresses that the next questions of each kind get; the last one again and again. */
let answers: { readonly a: string[][]; readonly aaaa: string[][] };

const numbers = (address: string): Buffer =>
  address.includes(':')
    ? Buffer.from(address === '::1' ? [...Array<number>(15).fill(0), 1] : [0x30, ...Array<number>(14).fill(0), 1])
    : Buffer.from(address.split('.').map(Number));

const answerTo = (question: Buffer): Buffer => {
  let end = 12;
  while (question[end] !== 0) end += (question[end] ?? 0) + 1;
  const kind = question.readUInt16BE(end + 1) === 1 ? 'a' : 'aaaa';
  asked.push(kind);
  const list = answers[kind];
  const addresses = (list.length > 1 ? list.shift() : list[0]) ?? [];
  const head = Buffer.from(question.subarray(0, end + 5));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const bytes = numbers(address);
    // The name of the question, the kind, the internet, kept for no second.
    const record = Buffer.from([0xc0, 12, 0, kind === 'a' ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([head, ...records]);
};

beforeAll(async () => {
  names = createSocket('udp4', (question, { port, address }) => names.send(answerTo(question), port, address));
  names.bind(0, '127.0.0.1');
  await once(names, 'listening');
  canary = createServer((_, response) => response.end('secret')).on('connection', () => (reached += 1));
  canary.listen(0);
  await once(canary, 'listening');
});
afterAll(async () => {
  names.close();
  canary.closeAllConnections();
  await new Promise((resolve) => canary.close(resolve));
});
beforeEach(() => {
  asked = [];
});

const deliver = () => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  resolver.setServers([`127.0.0.1:${names.address().port}`]);
  const url = `http://rebound.example.com:${(canary.address() as AddressInfo).port}/hook`;
  const resolve = (host: string) => namesFrom(resolver, host);
  return send({ url, headers: {}, body: '{}' }, { resolve, allowPrivate: false, timeoutMs: 1000 });
};

const refusal = 'The receiver has a private address, which this installation refuses';

it('a name that is public when it is checked is not asked for again when it is called', async () => {
  // Public, and of no network.
  answers = { a: [[], ['127.0.0.1']], aaaa: [['3000::1'], ['::1']] };
  expect((await deliver()).status).toBeNull();
  expect([asked.sort(), reached]).toEqual([['a', 'aaaa'], 0]);
  expect(await deliver()).toEqual({ status: null, error: refusal });
  expect(reached).toBe(0);
});

it('a name with a private address beside public ones is refused, of whichever family it is', async () => {
  for (const [a, aaaa] of [
    [['93.184.216.34', '127.0.0.1'], []],
    [['93.184.216.34'], ['::1']],
    [['169.254.169.254'], ['3000::1']],
  ] as const) {
    answers = { a: [[...a]], aaaa: [[...aaaa]] };
    expect([a, aaaa, await deliver()]).toEqual([a, aaaa, { status: null, error: refusal }]);
  }
  expect(reached).toBe(0);
});
