import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../api/query-client';
import { lazyPart, type LazyPart } from '../ui/later';
import { isPhone } from '../ui/use-is-phone';
import { type EditorProps, type InsightKind, type KindName, type UnnamedKind } from './kind';

/** A kind whose code is loaded when it is opened. */
export interface ListedKind extends KindName {
  readonly load: () => Promise<UnnamedKind>;
  /** The controls of the question, above the picture. A phone shows them only when they are asked for. */
  readonly Editor: LazyPart<EditorProps>;
}

/** All kinds of insights in the order of their tabs. */
export const insightKinds: readonly ListedKind[] = [
  {
    name: 'trends',
    label: 'Trends',
    load: async () => (await import('./trends/trends-kind')).trendsKind,
    Editor: lazyPart(async () => (await import('./trends/trends-editor')).TrendsEditor),
  },
  {
    name: 'funnel',
    label: 'Funnel',
    load: async () => (await import('./funnel/funnel-kind')).funnelKind,
    Editor: lazyPart(async () => (await import('./funnel/funnel-editor')).FunnelEditor),
  },
  {
    name: 'retention',
    label: 'Retention',
    load: async () => (await import('./retention/retention-kind')).retentionKind,
    Editor: lazyPart(async () => (await import('./retention/retention-editor')).RetentionEditor),
  },
  {
    name: 'paths',
    label: 'Paths',
    load: async () => (await import('./paths/paths-kind')).pathsKind,
    Editor: lazyPart(async () => (await import('./paths/paths-editor')).PathsEditor),
  },
  {
    name: 'correlation',
    label: 'Correlation',
    load: async () => (await import('./correlation/correlation-kind')).correlationKind,
    Editor: lazyPart(async () => (await import('./correlation/correlation-editor')).CorrelationEditor),
  },
  {
    name: 'lifecycle',
    label: 'Lifecycle',
    load: async () => (await import('./lifecycle/lifecycle-kind')).lifecycleKind,
    Editor: lazyPart(async () => (await import('./lifecycle/lifecycle-editor')).LifecycleEditor),
  },
  {
    name: 'stickiness',
    label: 'Stickiness',
    load: async () => (await import('./stickiness/stickiness-kind')).stickinessKind,
    Editor: lazyPart(async () => (await import('./stickiness/stickiness-editor')).StickinessEditor),
  },
];

export const insightKindQuery = ({ name, label, load }: ListedKind) =>
  queryOptions({
    queryKey: ['insight-kind', name],
    queryFn: async (): Promise<InsightKind> => ({ name, label, ...(await load()) }),
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
  });

/** Loads everything that the page of a kind is drawn with, so that nothing moves when more comes. */
export const loadInsightKind = async (name: string): Promise<void> => {
  const kind = insightKinds.find((one) => one.name === name);
  if (!kind) return;
  await Promise.all([queryClient.ensureQueryData(insightKindQuery(kind)), isPhone() ? null : kind.Editor.preload?.()]);
};
