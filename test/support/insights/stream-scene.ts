import fc from 'fast-check';
import { sendingActions } from './as-actions.js';
import { testAccountFilters } from './filters.js';
import { changesOf, type Change } from './changes.js';
import { loadStream, makeChanges } from './load.js';
import { modelOf, type Model } from './model.js';
import { clockChanges, type Stream } from './stream.js';
import { type ServiceHandle } from '../service-handle.js';

/** A stream, what happens to its persons later, and the questions before and after that. */
export interface StreamScene<Q> {
  readonly stream: Stream;
  readonly changes: readonly Change[];
  readonly questions: readonly [Q, Q];
  readonly pick: number;
}

/** Questions about one of the moments of the stream. */
export const streamSceneOf = <Q>(
  streams: fc.Arbitrary<Stream>,
  question: (drawn: Stream, around: number) => fc.Arbitrary<Q>,
  changes: (drawn: Stream) => fc.Arbitrary<readonly Change[]> = changesOf,
): fc.Arbitrary<StreamScene<Q>> =>
  fc.tuple(streams, fc.nat()).chain(([drawn, pick]) => {
    const times = [...drawn.before, ...drawn.after].map(({ timestamp }) => timestamp.getTime());
    const around = times[pick % Math.max(1, times.length)] ?? Date.parse(clockChanges[drawn.zone]?.[0] ?? '');
    return fc.record({
      stream: fc.constant(drawn),
      changes: changes(drawn),
      questions: fc.tuple(question(drawn, around), question(drawn, around)),
      pick: fc.constant(pick),
    });
  });

/** Where a question about a stream is sent, and what a naive answer to it begins with. */
export interface StreamPoint {
  readonly service: ServiceHandle;
  readonly path: string;
  readonly drawn: Stream;
  readonly model: Model;
  readonly pick: number;
}

/** Asks one question before the changes and one after them. The sum of what the checks have seen. */
export const checkStreamScene = async <Q>(
  service: ServiceHandle,
  insight: string,
  { stream: drawn, changes, questions, pick }: StreamScene<Q>,
  check: (question: Q, at: StreamPoint) => Promise<number>,
): Promise<number> => {
  const project = await loadStream(service, drawn, { test_account_filters: testAccountFilters });
  const asking = sendingActions(service, project.id, pick);
  const at = { service: asking, path: `/api/projects/${project.id}/persons/${insight}`, drawn, pick };
  const before = await check(questions[0], { ...at, model: modelOf(drawn) });
  await makeChanges(service, project, changes);
  return before + (await check(questions[1], { ...at, model: modelOf(drawn, changes) }));
};
