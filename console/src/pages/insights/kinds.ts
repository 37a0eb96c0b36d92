import { correlationKind } from './correlation/correlation-kind';
import { funnelKind } from './funnel/funnel-kind';
import { type InsightKind } from './kind';
import { lifecycleKind } from './lifecycle/lifecycle-kind';
import { pathsKind } from './paths/paths-kind';
import { retentionKind } from './retention/retention-kind';
import { stickinessKind } from './stickiness/stickiness-kind';
import { trendsKind } from './trends/trends-kind';

/** All kinds of insights in the order of their tabs. */
export const insightKinds: readonly InsightKind[] = [
  trendsKind,
  funnelKind,
  retentionKind,
  pathsKind,
  correlationKind,
  lifecycleKind,
  stickinessKind,
];
