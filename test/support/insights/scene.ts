import fc from 'fast-check';
import { type ServiceHandle } from '../service-handle.js';
import { sendingActions } from './as-actions.js';
import { type Clock } from './buckets.js';
import { type FilterGroup } from './filters.js';
import { beginHistory, history, World, type History } from './history.js';
import { type Model } from './model.js';
import { patient, type Asking } from './points.js';
import { rangeOf, type RangeContext, type Range, type WrittenRange } from './ranges.js';

/** A history, and the questions before and after its turns. */
export interface Scene<Q> {
  readonly history: History;
  readonly questions: readonly Q[];
  readonly pick: number;
}

/** Questions around one of the moments at which something was done. */
export const sceneOf = <Q>(
  question: (clock: Clock, around: number, now: number) => fc.Arbitrary<Q>,
): fc.Arbitrary<Scene<Q>> =>
  fc.tuple(history, fc.nat()).chain(([drawn, pick]) => {
    const times = drawn.events.map(({ timestamp }) => timestamp.getTime());
    const around = times[pick % Math.max(1, times.length)] ?? drawn.now.getTime();
    return fc.record({
      history: fc.constant(drawn),
      questions: fc.array(question(drawn, around, drawn.now.getTime()), { minLength: 2, maxLength: 2 }),
      pick: fc.constant(pick),
    });
  });

/** Where a question is sent, and what a naive answer to it begins with. */
export interface Point {
  readonly service: ServiceHandle;
  readonly asking: Asking;
  readonly model: Model;
  readonly clock: Clock;
  readonly pick: number;
  readonly rangeOf: (written: WrittenRange, options: Pick<RangeContext, 'interval' | 'wholeDays'>) => Range;
  readonly testAccounts: FilterGroup;
}

/** Asks each question in its turn. The sum of what the checks have seen. */
export const checkScene = async <Q>(
  given: ServiceHandle,
  insight: string,
  { history: drawn, questions, pick }: Scene<Q>,
  check: (question: Q, at: Point) => Promise<number>,
): Promise<number> => {
  const service = patient(given);
  const { project, path, headers, goOn } = await beginHistory(service, drawn);
  const asking = sendingActions(service, project.id, pick);
  const { zone, weekStartDay, now, testAccountFilters } = drawn;
  const clock = { zone, weekStartDay };
  const world = new World(drawn);
  let seen = 0;
  for (const [at, question] of questions.entries()) {
    if (at > 0) for (const turn of drawn.turns) await goOn(world, turn);
    const model = world.model();
    const times = [...model.events, ...(drawn.groups ?? [])].map(({ timestamp }) => timestamp.getTime());
    const earliest = times.length > 0 ? Math.min(...times) : null;
    seen += await check(question, {
      service: asking,
      asking: { path: `${path}/${insight}`, headers },
      model,
      clock,
      pick,
      rangeOf: (written, options) => rangeOf(written, { ...clock, ...options, now: now.getTime(), earliest }),
      testAccounts: { type: 'AND', values: testAccountFilters },
    });
  }
  return seen;
};
