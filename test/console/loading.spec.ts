import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';

/** A name has no meaning on an element without a role, and a page shows what loads for too short a time to be looked at. */
it('what loads has a role beside its name', () => {
  const files = readdirSync('console/src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.tsx'),
  );
  const named = files.flatMap((file) =>
    [...readFileSync(`console/src/${file}`, 'utf8').matchAll(/<(?:Skeleton|Loader)\b[^>]*\baria-label=[^>]*>/g)].map(
      ([tag]) => `${file}: ${tag}`,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((tag) => !/\brole=/.test(tag))).toEqual([]);
});
