import { describe, expect, it } from '@jest/globals';
import { getFeatureFlagHash, getFeatureFlagVariant, getHoldoutVariant } from '@posthog/core';
import { runsOf } from '../../../test/support/sample.js';
import { isHeldOut, isWithin, variantFor } from './bucketing.js';

const variants = [50, 20, 20, 5, 5].map((percentage, at) => ({
  ...{ key: String(at + 1), name: '', rollout_percentage: percentage },
}));

/** For whom of `distinct_id_0` to `distinct_id_999` the flag `simple-flag` is on with 45 %: facts of the public tests of SDKs. */
const simple = [
  '.11.1..1.1.11.1...11.1..1.11...1111......11.11...11....1.1.1.11.1.1.11..1..1.1..1...11.11.11111.11..',
  '1111..1.111.....1..111..1.1..1........11..1..11..1.1.111...1....11.11.1.11.1.111.1..11.1.11..1111.11',
  '..1.1..11.1.1.......1.11..1.1...1.1...1..1.11....1.............11.1.11.1.1...1111.....111..11.....1.',
  '1111.111..1.1..111.1...11.1.1.11111..1.1.111.1.11.11111.....1.1..11...1.1111....11..11.1111.111..11.',
  '.1..1..........11..1..1.1..1......1.........111...1.1...1.......1........1.1.111...111.1.11...1....1',
  '.1.11.1...1..11.1......11..1..111...1....1.1...1.11.1.1.1..1..1.1.1.1..1111.1.....1..1..11....111..1',
  '..1111...1...1..1111..11.1.1..11.1111..1..11.1.1..1....111.1..1..1....1.1.11..1.111....11.1...1....1',
  '11...1111.11.111.1..1.1111.1.1.1..11..1.1....1.1...111...1.11.....1.1..11.1111..1..1.1.11...1.11...1',
  '.1.11.1..1...111.....1..11111........111..11.11.1.1...1..1..1111..1.11..1..11.1..111.....1.1.....11.',
  '111....1111.11.1.1.1....1111..1.11......1.1.11..1111..1.11..111.1..11...1..1...1111.1.1.1.1..1..1.11',
].join('');

/** The variant of `multivariate-flag`, which is on for 55 %, for each of them. */
const multivariate = [
  '221..21...13.121..41.3...1111113.321.3..12.112.1..11121.22321.124.111.12.3......15.212.33....3..11.3',
  '3.323..21..1....111...11.11.........111121112.2121.22.1...31..1....1.......11311..1..52.2.13153..4..',
  '..3..3.1222.1311.....1112...2..1.1..111131311233.21.21.1..151....112.233.13..1.31.311.1221...2..11.3',
  '.1.3.321..13125..1...3.21....3..3..13..1..4432135.15.111...252112..3.25.31..4..2..1412...133.111.1.1',
  '33..1..22111.51...231413.11.3113.4511...111.1121.121.12.11.1.1.1...331..2311...21.13.1...133....3441',
  '2.1.213.3.113...421..14.131..3.1.11324.1....212.1.11.1123111...3.111311215412.4...4..3...1332121.1..',
  '...11.2..1.211132..53..1...1233..1.31....41...3..21..2311.11..2323..1..1.2....1.3.1..2324111.1.2....',
  '.1.....1.2....2.1.3..13.3..2.121.....2..13.1.....12...115...1.3..2.....4212.2.2.1.11.2.1.5.11...1.13',
  '..11..5..3.31133.1.....1....2121.51..411..41.23311...111.333..11.2..2.312511.15...31124121...23..1..',
  '....11.3.1.3311.2.21...2.3.1511..1...141115...2...11..1121111131.2..323.13213..11...132111.323..31.1',
].join('');

const ids = (count: number) => Array.from({ length: count }, (_, at) => `distinct_id_${at}`);

/** Each id costs three digests, here and in the SDK. */
const compared = runsOf(1_000_000, 500);

describe('the bucket of an id', () => {
  it('is the one that the public tests of SDKs have', () => {
    const within = ids(1000).map((id) => (isWithin('simple-flag', id, 45) ? '1' : '.'));
    expect(within.join('')).toBe(simple);
    const chosen = ids(1000).map((id) =>
      isWithin('multivariate-flag', id, 55) ? variantFor('multivariate-flag', id, variants) : '.',
    );
    expect(chosen.join('')).toBe(multivariate);
  });

  it(`is the one that the SDK computes, for ${compared} ids`, async () => {
    for (const id of ids(compared)) {
      const share = await getFeatureFlagHash('k', id);
      const variant = await getFeatureFlagVariant('k', id, variants);
      const heldOut = await getHoldoutVariant({ id: 7, exclusion_percentage: 30 }, id);
      const expected = [share <= 0.37, variant, heldOut !== undefined];
      const found = [isWithin('k', id, 37), variantFor('k', id, variants), isHeldOut(id, 30)];
      if (JSON.stringify(found) !== JSON.stringify(expected)) expect([id, ...found]).toEqual([id, ...expected]);
    }
  }, 3_600_000);

  it('is in at 100 %, and has no variant without variants', () => {
    expect([isWithin('k', '', 100), isHeldOut('', 100), variantFor('k', 'ada', [])]).toEqual([true, true, null]);
    expect(ids(1000).filter((id) => isWithin('k', id, 0))).toEqual([]);
  });
});
