import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { odds, Random } from '../../src/app/demo/random.js';
import { reads } from '../support/persons-model/reads.js';
import { check, openSide, shapes, type Stage } from '../support/persons-model/stage.js';
import { writes } from '../support/persons-model/writes.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

const fewSteps = 150;
const steps = Number(process.env.STEPS ?? fewSteps);

let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const known = [...writes, ...reads];
const anyStep = odds(known.map(([name, step, weight]) => [{ name, step }, weight] as const));

describe('the persons of two projects', () => {
  it(`are after each of ${steps} random steps what a plain list of persons says`, async () => {
    const seed = Number(process.env.SEED ?? (steps > fewSteps ? Date.now() % 1_000_000 : 20_260_301));
    const random = new Random(seed);
    const sides = [await openSide(service), await openSide(service)] as const;
    const times = new Map(known.map(([name]) => [name, 0]));
    let most = 0;
    for (let at = 1; at <= steps; at += 1) {
      const [side, other] = random.chance(0.7) ? sides : [sides[1], sides[0]];
      const stage: Stage = { service, random, side, other };
      const { name, step } = random.of(anyStep);
      try {
        await step(stage);
        await check(stage);
      } catch (error) {
        throw new Error(`SEED=${seed}, step ${at}, ${name}: ${(error as Error).message}`, { cause: error });
      }
      times.set(name, (times.get(name) ?? 0) + 1);
      most = Math.max(most, shapes(side).length);
      if (at % 1000 === 0) process.stderr.write(`SEED=${seed}: ${at} of ${steps} steps\n`);
    }
    // Steps that never came, or had nobody to work on, would agree with anything.
    expect([...times].filter(([, n]) => n === 0)).toEqual([]);
    expect(most).toBeGreaterThan(8);
  }, 3_600_000);
});
