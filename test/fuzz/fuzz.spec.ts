import { describe, expect, it } from '@jest/globals';
import { Random } from './random.js';
import { fuzz } from './run.js';
import { parseAnswers } from './send-raw.js';
import { complaintsAbout } from './verdict.js';

const requests = Number(process.env.FUZZ_REQUESTS ?? 5000);

describe('requests made from the document', () => {
  it.each(['embedded', 'servers'] as const)(
    'get documented answers (stores: %s), none holds the event loop, and the process lives',
    async (stores) => {
      const report = await fuzz({ stores, requests, seed: 1, connections: 24, settleSeconds: 20, culpritSeconds: 10 });
      // A pause of the garbage collector cannot be measured again, and a busy machine lengthens it: `npm run fuzz` judges pauses.
      expect(complaintsAbout({ ...report, pauses: [] })).toEqual([]);
      expect(report.requests).toBe(requests);
      expect(Object.keys(report.byOperation).length).toBeGreaterThan(50);
      expect(report.byStatus['200']).toBeGreaterThan(requests / 10);
    },
    600_000,
  );
});

describe('the maker of requests', () => {
  it('makes the same choices for the same seed and number, and others for the next', () => {
    const choices = (seed: number, index: number) => {
      const random = new Random(seed, index);
      return Array.from({ length: 5 }, () => random.integer(0, 1_000_000));
    };
    expect(choices(1, 2)).toEqual(choices(1, 2));
    expect(choices(1, 2)).not.toEqual(choices(1, 3));
    expect(choices(1, 2)).not.toEqual(choices(2, 2));
  });
});

describe('the reader of raw answers', () => {
  it('reads answers one after another, by length and by chunks, and leaves interim ones out', () => {
    const answers = parseAnswers(
      Buffer.from(
        'HTTP/1.1 100 Continue\r\n\r\n' +
          'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok' +
          'HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n' +
          'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut',
      ),
    );
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, 'ok'],
      [400, 'abc'],
    ]);
  });
});
