import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeReasons } from '../../src/kernel/memberships/cohort-change.entity.js';
import { odds, Random } from '../../src/app/demo/random.js';
import { ChangesModel } from '../support/changes-model/model.js';
import { makeScene, settled, stepsOf } from '../support/changes-model/steps.js';
import { CohortsOf } from '../support/cohorts/cohorts-of.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

const fewSteps = 60;
const count = Number(process.env.CHANGE_STEPS ?? fewSteps);
let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

describe('the feed of changes of cohorts', () => {
  it.each(['person', 'group'] as const)(
    `of a %s leads to the listed members after each of ${count} random steps, from any cursor, and so does the past`,
    async (kind) => {
      const anyStep = odds(stepsOf(kind).map(([name, weight, run]) => [{ name, run }, weight] as const));
      const seed = Number(process.env.SEED ?? (count > fewSteps ? Date.now() % 1_000_000 : 20_261_123));
      const random = new Random(seed);
      const project = await service.newProject();
      const scene = await makeScene(kind, service, new CohortsOf(service, project.id), project.api_token, random);
      const model = new ChangesModel(scene.of, [...scene.dynamic, ...scene.fixed], random, kind);
      for (let at = 0; at < count;) {
        const together = Array.from({ length: random.between(1, 3) }, () => random.of(anyStep));
        try {
          await Promise.all(together.map(({ run }) => run(scene)));
          await settled(scene);
          await model.check();
        } catch (error) {
          const names = together.map(({ name }) => name).join(', ');
          throw new Error(`SEED=${seed}, step ${at}, ${names}: ${(error as Error).message}`, { cause: error });
        }
        at += together.length;
      }
      await model.checkHistory();
      expect(model.changes).toBeGreaterThan(count);
      // No group is merged or split.
      const possible = changeReasons.filter((reason) => kind === 'person' || !['merged', 'split'].includes(reason));
      const [ends] = kind === 'person' ? ['merged'] : ['deleted'];
      expect([...model.reasons]).toEqual(expect.arrayContaining(['calculated', 'uploaded', ends, 'snapshot']));
      if (count > fewSteps) expect([...model.reasons].sort()).toEqual(['snapshot', ...possible].sort());
    },
    count > fewSteps ? 7_200_000 : 120_000,
  );
});
