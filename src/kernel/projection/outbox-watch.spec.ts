import { describe, expect, it } from '@jest/globals';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Signal } from '../../platform/work/signal.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { OutboxWatch } from './freshness.js';

const at = new Date('2026-01-01');

/** Answers that every row below `shippedTo` is gone, and counts the statements. */
class Outbox {
  statements = 0;
  shippedTo = 0;
  fails = false;

  readonly query = (async ({ values }: { readonly values: readonly [readonly number[], readonly string[]] }) => {
    this.statements += 1;
    await sleep(1);
    if (this.fails) throw new Error('the database is away');
    const rows = values[1].map((id) => ({ created_at: Number(id) <= this.shippedTo ? null : at }));
    return { rows };
  }) as unknown as Queryable['query'];
}

const watchOf = (outbox: Outbox, requireEngine = () => Promise.resolve()): OutboxWatch =>
  new OutboxWatch(outbox, new Signal(), () => false, requireEngine);

const inMs = (ms: number): number => performance.now() + ms;

describe('the watch of the outbox', () => {
  it('looks for all who wait with one statement, and lets each go when its rows are shipped', async () => {
    const outbox = new Outbox();
    const watch = watchOf(outbox);
    const waits = Array.from({ length: 50 }, (_, n) => watch.untilShipped(n, String(n < 25 ? 1 : 2), inMs(5_000)));
    const first = Promise.all(waits.slice(0, 25));
    await sleep(200);
    const before = outbox.statements;
    await sleep(300);
    // 15 ms between two looks of the process; each of the fifty would make twenty by itself.
    expect(outbox.statements - before).toBeLessThan(25);
    outbox.shippedTo = 1;
    expect(await first).toEqual(Array(25).fill(undefined));
    expect(watch.waiting).toBe(25);
    outbox.shippedTo = 2;
    await Promise.all(waits);
    expect(watch.waiting).toBe(0);
  });

  it('returns the oldest row at the deadline of each', async () => {
    const outbox = new Outbox();
    const watch = watchOf(outbox);
    const late = watch.untilShipped(1, '1', inMs(5_000));
    const started = performance.now();
    expect(await watch.untilShipped(1, '1', inMs(60))).toEqual({ created_at: at });
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(await Promise.race([late, sleep(10, 'waits')])).toBe('waits');
    outbox.shippedTo = 1;
    expect(await late).toBeUndefined();
  });

  it('looks at once for one who comes while others wait', async () => {
    const outbox = new Outbox();
    const watch = new OutboxWatch(
      outbox,
      new Signal(),
      () => true,
      () => Promise.resolve(),
    );
    const first = watch.untilShipped(1, '5', inMs(1_000));
    await sleep(20);
    outbox.shippedTo = 1;
    const started = performance.now();
    expect(await watch.untilShipped(1, '1', inMs(1_000))).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(90);
    outbox.shippedTo = 5;
    await first;
  });

  it('fails for all when the database or ClickHouse is away, and looks again for the next', async () => {
    const outbox = new Outbox();
    const watch = watchOf(outbox, () => Promise.reject(new Error('ClickHouse is away')));
    const both = [1, 2].map((id) => watch.untilShipped(1, String(id), inMs(5_000)));
    for (const one of both) await expect(one).rejects.toThrow('ClickHouse is away');
    outbox.fails = true;
    await expect(watch.untilShipped(1, '1', inMs(5_000))).rejects.toThrow('the database is away');
    outbox.fails = false;
    outbox.shippedTo = 1;
    expect(await watch.untilShipped(1, '1', inMs(5_000))).toBeUndefined();
  });
});
