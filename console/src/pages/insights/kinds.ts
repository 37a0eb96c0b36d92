import { funnelKind } from './funnel/funnel-kind';
import { type InsightKind } from './kind';
import { lifecycleKind } from './lifecycle/lifecycle-kind';
import { stickinessKind } from './stickiness/stickiness-kind';
import { trendsKind } from './trends/trends-kind';

/** All kinds of insights in the order of their tabs. */
export const insightKinds: readonly InsightKind[] = [trendsKind, funnelKind, lifecycleKind, stickinessKind];
