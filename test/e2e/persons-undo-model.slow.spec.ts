import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../../src/app/demo/random.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { UndoScene } from '../support/undo-scene.js';

const runs = Number(process.env.UNDO_RUNS ?? 4);

const undone = { merges: 0, splits: 0 };
let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

describe('merges and splits that were undone in any order', () => {
  it.each(Array.from({ length: runs }, (_, run) => run))(
    'leave what is there without them, in both stores and in insights (%i)',
    async (run) => {
      const seed = Number(process.env.SEED ?? 20_260_400) + run;
      const random = new Random(seed);
      const scene = await UndoScene.open(service, random);
      const persons = random.between(2, 20);
      for (let n = 0; n < persons; n += 1) await scene.makePerson();
      for (let n = 0; n < 3 * persons; n += 1) {
        const chance = random.between(0, 13);
        if (chance < 4) await scene.merge();
        else if (chance < 6) await scene.changeAny();
        else if (chance < 8) await scene.addId();
        else if (chance < 10) await scene.split();
        else if (chance < 11) await scene.undoSplit();
        else await scene.undo();
      }
      // Every second run undoes everything; the others leave some merges in effect.
      for (
        let left = run % 2 === 0 ? Infinity : random.between(1, persons);
        left > 0 && ((await scene.undoSplit()) || (await scene.undo()));
        left -= 1
      ) {
        if (random.chance(0.3)) await scene.changeAny();
      }
      undone.merges += scene.undoneMerges;
      undone.splits += scene.undoneSplits;
      const [actual, expected] = [await scene.state(), await (await scene.withoutUndone()).state()];
      expect({ seed, ...actual }).toEqual({ seed, ...expected });
    },
    300_000,
  );

  it('were many of both kinds', () => {
    expect(Math.min(undone.merges, undone.splits)).toBeGreaterThan(runs / 2);
  });
});
