import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { EndlessList, type ListPage } from '../../console/src/api/endless-list.js';

/** A list ordered by number whose pages begin after the last number of the page before, as the service's cursors do. */
class NumberList {
  requests = 0;
  readonly numbers: Set<number>;

  constructor(count: number) {
    this.numbers = new Set(Array.from({ length: count }, (_, index) => index * 10));
  }

  readonly load = (address: string): Promise<ListPage<number>> => {
    this.requests++;
    const after = Number(address.split('after:')[1]);
    const sorted = [...this.numbers].sort((a, b) => a - b);
    const rest = sorted.filter((number) => number > after);
    const results = rest.slice(0, 20);
    const next = rest.length > 20 ? `after:${results.at(-1)}` : null;
    return Promise.resolve({ count: sorted.length, next, results });
  };

  open(top = 0): Promise<EndlessList<number>> {
    return EndlessList.open('after:-1', this.load, new AbortController().signal, top);
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Shows a screen of rows and waits until they are there. */
const lookAt = async (list: EndlessList<number>, first: number): Promise<number[]> => {
  const last = Math.min(first + 9, list.length - 1);
  let version;
  do {
    version = list.version;
    list.show(Math.min(first, list.length - 1), Math.max(0, last));
    await settled();
  } while (version !== list.version);
  return Array.from({ length: 10 }, (_, index) => list.at(first + index)).filter((row) => row !== undefined);
};

const walkDown = async (list: EndlessList<number>): Promise<number[]> => {
  const rows: number[] = [];
  for (let first = 0; first < list.length; first += 10) rows.push(...(await lookAt(list, first)));
  return rows;
};

describe('EndlessList', () => {
  it('reads a list to its end, each row once', async () => {
    const source = new NumberList(95);
    const list = await source.open();
    expect(list.count).toBe(95);
    expect(await walkDown(list)).toEqual([...source.numbers]);
    expect(list.length).toBe(95);
    expect(source.requests).toBe(5);
  });

  it('keeps a bounded number of rows and reads the others again by their address', async () => {
    const source = new NumberList(2000);
    const list = await source.open();
    await walkDown(list);
    expect(list.storedRows).toBeLessThanOrEqual(24 * 20);
    expect(list.at(0)).toBeUndefined();
    expect(await lookAt(list, 0)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
    expect(list.length).toBe(2000);
  });

  it('forgets what followed a page that ends elsewhere when it is read again', async () => {
    const source = new NumberList(2000);
    const list = await source.open();
    await walkDown(list);
    source.numbers.add(5);
    const rows = await walkDown(list);
    expect(rows).toEqual([...source.numbers].sort((a, b) => a - b));
  });

  it('neither skips nor repeats a row that was there all the time, whatever comes and goes during the walk', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 700 }),
        fc.array(fc.record({ place: fc.nat(7000), isAdded: fc.boolean(), look: fc.nat(700) }), { maxLength: 60 }),
        async (count, changes) => {
          const source = new NumberList(count);
          const all = new Set(source.numbers);
          const list = await source.open();
          for (const { place, isAdded, look } of changes) {
            if (isAdded) source.numbers.add(place);
            else {
              source.numbers.delete(place);
              all.delete(place);
            }
            // Whatever is in memory side by side is in order and has no row twice.
            await lookAt(list, Math.min(look, list.length - 1));
            const kept = Array.from({ length: list.length }, (_, index) => list.at(index)).filter(
              (row) => row !== undefined,
            );
            expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
          }
          const walked = await walkDown(list);
          expect(walked).toEqual([...new Set(walked)].sort((a, b) => a - b));
          expect([...all].filter((number) => !walked.includes(number))).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('stops at an error and goes on after a retry', async () => {
    const source = new NumberList(60);
    const load = jest.fn(source.load);
    const list = await EndlessList.open('after:-1', load, new AbortController().signal);
    load.mockRejectedValueOnce(new Error('The service is away.'));
    await lookAt(list, 15);
    expect(list.error).toEqual(new Error('The service is away.'));
    expect(load).toHaveBeenCalledTimes(2);
    await lookAt(list, 15);
    expect(load).toHaveBeenCalledTimes(2);
    list.retry();
    expect(await lookAt(list, 15)).toHaveLength(10);
    expect(list.error).toBeNull();
  });

  it('reads down to the row at the top of the screen when it is opened again', async () => {
    const list = await new NumberList(500).open(130);
    expect(list.at(130)).toBe(1300);
    expect(list.top).toBe(130);
  });
});
