import { describe, expect, it } from '@jest/globals';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { SlicedRegistry } from './sliced-registry.js';

const filled = (registry: Registry, series: number): Registry => {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'seconds',
    help: 'Time\nin all',
    labelNames: ['route'],
    buckets: [1, 2],
    registers,
  });
  for (let n = 0; n < series; n += 1) seconds.observe({ route: `"${n}"` }, n % 3);
  new Counter({ name: 'counted', help: 'Without labels', registers }).inc(7);
  new Counter({ name: 'never', help: 'Labels that were never set', labelNames: ['a'], registers });
  new Gauge({
    name: 'size',
    help: 'Read when it is written',
    registers,
    collect: async function () {
      this.set(await Promise.resolve(5));
    },
  });
  return registry;
};

describe('a registry that writes in slices', () => {
  it.each([0, 1, 199, 200, 201, 600])(
    'writes what the library writes, with %i series of five lines',
    async (series) => {
      const text = await filled(new SlicedRegistry(), series).metrics();
      expect(text).toBe(await filled(new Registry(), series).metrics());
      expect(text.match(/^seconds_bucket/gm) ?? []).toHaveLength(series * 3);
    },
  );

  it('lets others have their turn after each thousand lines', async () => {
    const yieldsOf = async (registry: Registry): Promise<number> => {
      let yields = 0;
      let isWritten = false;
      const count = () => {
        yields += 1;
        if (!isWritten) setImmediate(count);
      };
      setImmediate(count);
      await registry.metrics();
      isWritten = true;
      return yields;
    };
    expect(await yieldsOf(filled(new Registry(), 2000))).toBe(0);
    expect(await yieldsOf(filled(new SlicedRegistry(), 2000))).toBeGreaterThanOrEqual(9);
  });
});
