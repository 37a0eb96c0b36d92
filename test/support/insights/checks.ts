import fc from 'fast-check';
import { type ServiceHandle } from '../service-handle.js';
import { countingGroups, historyWithGroups, withGroups } from './as-groups.js';
import { type Scene } from './scene.js';
import { type StreamScene } from './stream-scene.js';
import { checkCorrelations, correlationScene } from './correlation-check.js';
import { checkFunnels, checkFunnelsAndSessions, funnelScene } from './funnel-check.js';
import { checkLifecycle, lifecycleScene } from './lifecycle-check.js';
import { checkPaths, pathsScene } from './paths-check.js';
import { checkRetention, retentionScene } from './retention-check.js';
import { checkStickiness, stickinessScene } from './stickiness-check.js';
import { checkTrends, trendsScene } from './trends-check.js';

/** How many streams to draw, and from which seed on. */
interface Draw {
  readonly streams: number;
  readonly seed?: number;
}

type Check = (service: ServiceHandle, draw: Draw) => Promise<number>;

const checking =
  <Scene>(scenes: fc.Arbitrary<Scene>, check: (service: ServiceHandle, scene: Scene) => Promise<number>): Check =>
  async (service, { streams, seed }) => {
    let seen = 0;
    const property = fc.asyncProperty(scenes, async (scene) => {
      seen += await check(service, scene);
    });
    await fc.assert(property, { numRuns: streams, endOnFailure: true, ...(seed === undefined ? {} : { seed }) });
    return seen;
  };

/** The same with groups in the place of persons, whose events stay theirs when persons are merged or split later. */
const countingGroupsIn =
  <Q>(
    scenes: fc.Arbitrary<StreamScene<Q>>,
    check: (service: ServiceHandle, scene: StreamScene<Q>) => Promise<number>,
  ): Check =>
  (service, draw) => {
    const ofGroups = scenes.map((scene) => ({ ...scene, stream: withGroups(scene.stream), changes: [] }));
    return checking(ofGroups, check)(countingGroups(service), draw);
  };

const countingGroupsOverTime =
  <Q>(scenes: fc.Arbitrary<Scene<Q>>, check: (service: ServiceHandle, scene: Scene<Q>) => Promise<number>): Check =>
  (service, draw) => {
    const ofGroups = scenes.map((scene) => ({ ...scene, history: historyWithGroups(scene.history) }));
    return checking(ofGroups, check)(countingGroups(service), draw);
  };

export const groupChecks: Readonly<Record<string, Check>> = {
  correlation: countingGroupsIn(correlationScene, checkCorrelations),
  lifecycle: countingGroupsOverTime(lifecycleScene, checkLifecycle),
  stickiness: countingGroupsOverTime(stickinessScene, checkStickiness),
  funnel: countingGroupsIn(funnelScene, checkFunnels),
  paths: countingGroupsIn(pathsScene, checkPaths),
  retention: countingGroupsIn(retentionScene, checkRetention),
  trends: countingGroupsIn(trendsScene, checkTrends),
};

/** Each throws on the first stream for which its insight is not what the naive reading gives. The number of points with persons. */
export const insightChecks: Readonly<Record<string, Check>> = {
  correlation: checking(correlationScene, checkCorrelations),
  funnel: checking(funnelScene, checkFunnelsAndSessions),
  lifecycle: checking(lifecycleScene, checkLifecycle),
  paths: checking(pathsScene, checkPaths),
  retention: checking(retentionScene, checkRetention),
  stickiness: checking(stickinessScene, checkStickiness),
  trends: checking(trendsScene, checkTrends),
};
