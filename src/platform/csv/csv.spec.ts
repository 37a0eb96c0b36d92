import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { once } from 'node:events';
import { get } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { openContext } from '../http/request-context.js';
import { csvLine, sendCsv, sendCsvBatches, type CsvRow } from './csv.js';

describe('a CSV line', () => {
  it.each([
    [['a', 1, true, null, undefined], 'a,1,true,,\r\n'],
    [['with, comma', 'with "quote"', 'two\nlines'], '"with, comma","with ""quote""","two\nlines"\r\n'],
    [['=1+1', '+1', '-1', '@x', '\tx', '\rx'], `'=1+1,'+1,'-1,'@x,'\tx,"'\rx"\r\n`],
    [[-1, -0.5], '-1,-0.5\r\n'],
    [[' =1', '\n=1', '\r\n+1', '\t @x', '\u00a0-1'], `' =1,"'\n'=1","'\r\n'+1",'\t '@x,'\u00a0-1\r\n`],
    [['＝1', '＋1', '－1', '＠x', ' ＝1'], `'＝1,'＋1,'－1,'＠x,' ＝1\r\n`],
    [['a;=HYPERLINK("x")', 'a; =1', 'a;"=1', 'a\t+1'], `"a;'=HYPERLINK(""x"")",a; '=1,"a;""'=1",a\t'+1\r\n`],
    [[{ a: ';=1' }, 'a\n＝1', ';=1'], `"{""a"":"";'=1""}","a\n'＝1",;'=1\r\n`],
    [['a=1', '1-2', 'a; b', 'a;', 'x@y.z', 'a -b'], 'a=1,1-2,a; b,a;,x@y.z,a -b\r\n'],
    [[{ a: ['b', 1] }, ['=x']], '"{""a"":[""b"",1]}","[""=x""]"\r\n'],
    [[new Date(0)], '1970-01-01T00:00:00.000Z\r\n'],
  ] as [CsvRow, string][])('of %j follows RFC 4180 and runs no formula', (row, line) => {
    expect(csvLine(row)).toBe(line);
  });
});

describe('a CSV cell', () => {
  it('of a million separators takes no more than a moment', () => {
    const before = process.cpuUsage();
    csvLine([';'.repeat(1_000_000), '\n'.repeat(1_000_000), ' '.repeat(1_000_000), '; '.repeat(1_000_000)]);
    const { user } = process.cpuUsage(before);
    expect(user / 1e6).toBeLessThan(2);
  });
});

const anonymous = {
  ...{ requestId: 'r', now: new Date(), caller: null, project: null, tokenProjectId: null },
  isStillAdmitted: () => Promise.resolve(true),
  admittedAt: performance.now(),
  beforeAnswer: [],
  endings: [],
};

const serve = async (rows: () => AsyncGenerator<CsvRow>) => {
  const server = express()
    .get('/', (request, response, next) => {
      openContext(request, anonymous);
      sendCsv(response, 'per"sons.csv', ['n', 'text'], rows()).catch(next);
    })
    .listen(0);
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
};

describe('a CSV answer', () => {
  it('has a header row and every row, and a filename no header can be smuggled through', async () => {
    const rows = async function* (): AsyncGenerator<CsvRow> {
      for (let n = 0; n < 1234; n += 1) yield await Promise.resolve([n, 'x']);
    };
    const server = await serve(rows);
    const answer = await fetch(server.url);
    const lines = (await answer.text()).split('\r\n');
    server.close();
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="per_sons.csv"');
    expect([lines.length, lines[0], lines[1], lines[1234], lines[1235]]).toEqual([1236, 'n,text', '0,x', '1233,x', '']);
  });

  it('stops its work when the client goes away', async () => {
    let made = 0;
    let ended = false;
    const endless = async function* (): AsyncGenerator<CsvRow> {
      try {
        for (;;) yield await Promise.resolve([(made += 1), 'x'.repeat(1000)]);
      } finally {
        ended = true;
      }
    };
    const server = await serve(endless);
    await new Promise<void>((resolve) => {
      const request = get(server.url, (answer) => {
        answer.once('data', () => {
          request.destroy();
          resolve();
        });
      });
    });
    for (let n = 0; n < 100 && !ended; n += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    server.close();
    expect(ended).toBe(true);
    expect(made).toBeLessThan(50_000);
  });
});

const pieceOf = (socket: Socket): Promise<number> =>
  new Promise((resolve) => {
    socket.once('data', (piece: Buffer) => {
      socket.pause();
      resolve(piece.length);
    });
    socket.resume();
  });

describe('a client that takes nothing of a CSV answer', () => {
  const wide = 'x'.repeat(10_000);
  const download = async (
    batches: () => AsyncGenerator<CsvRow[]>,
    stallMs: number,
    isStillAdmitted = anonymous.isStillAdmitted,
  ) => {
    let ended = () => undefined as void;
    const over = new Promise<void>((resolve) => (ended = resolve));
    const server = express()
      .get('/', (request, response) => {
        openContext(request, { ...anonymous, isStillAdmitted });
        void sendCsvBatches(response, 'x.csv', ['text'], batches(), stallMs).finally(ended);
      })
      .listen(0);
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    return { over, socket, close: () => (socket.destroy(), server.close()) };
  };
  const endless = async function* (): AsyncGenerator<CsvRow[]> {
    for (;;) yield await Promise.resolve([[wide]]);
  };

  it('is cut off within a second when it has lost its key', async () => {
    let isAdmitted = true;
    const { over, socket, close } = await download(endless, 30_000, () => Promise.resolve(isAdmitted));
    socket.on('data', () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(socket.readyState).toBe('open');
    isAdmitted = false;
    const lostAt = performance.now();
    await over;
    expect(performance.now() - lostAt).toBeLessThan(1000);
    close();
  });

  it('is cut off when the time is over, not at twice the time, and the work that makes the rows ends', async () => {
    const { over, socket, close } = await download(endless, 2000);
    socket.pause();
    const started = performance.now();
    await over;
    const after = performance.now() - started;
    expect(after).toBeGreaterThan(1900);
    expect(after).toBeLessThan(3500);
    close();
  });

  it('is cut off only if it has read nothing at all', async () => {
    const { over, socket, close } = await download(endless, 2000);
    let isOver = false;
    void over.then(() => (isOver = true));
    socket.pause();
    for (let n = 0; n < 4; n += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1200));
      // More than what the operating system keeps, so that bytes leave the service.
      for (let read = 0; read < 8_000_000;) read += await pieceOf(socket);
      expect(isOver).toBe(false);
    }
    close();
  });

  it('is distinguished from one that reads slowly and one that waits for us', async () => {
    const slowly = async function* (): AsyncGenerator<CsvRow[]> {
      for (let n = 0; n < 3; n += 1) {
        await new Promise((resolve) => setTimeout(resolve, 700));
        yield [[`row ${n}`.padEnd(70_000)]];
      }
    };
    const { over, socket, close } = await download(slowly, 300);
    let text = '';
    socket.on('data', (piece) => (text += piece.toString()));
    await Promise.all([over, once(socket, 'end')]);
    expect(text).toContain('row 2');
    close();
  });
});
