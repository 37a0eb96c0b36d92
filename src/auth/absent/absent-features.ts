/** A part of the reference product that this service does not have. */
export interface AbsentFeature {
  /** A text that follows "Kohort has no". */
  readonly name: string;
  /** The first segments of its addresses below a project. */
  readonly below: readonly string[];
  /** The beginnings of its addresses elsewhere. */
  readonly elsewhere?: readonly string[];
  /** The part of this service that serves the same purpose. */
  readonly instead: string;
  /** The segments whose list clients ask for when they start: they get an empty page. */
  readonly emptyPages?: readonly string[];
}

/** The guide about moving has this table: `npm run absent` writes it. */
export const absentFeatures: readonly AbsentFeature[] = [
  {
    name: 'scheduled changes of feature flags',
    below: ['scheduled_changes', 'feature_flag_role_access'],
    instead: '`PATCH feature_flags/{id}` from a scheduler of your own; the scope `feature_flag:write` says who may',
  },
  {
    name: 'experiments',
    below: ['experiments', 'experiment_holdouts', 'experiment_saved_metrics', 'web_experiments'],
    instead: 'a funnel or trends with a breakdown by the property that names the variant',
    emptyPages: ['experiments'],
  },
  {
    name: 'early access features',
    below: ['early_access_features'],
    instead: 'a static cohort of the persons who take part',
    emptyPages: ['early_access_features'],
  },
  {
    name: 'surveys',
    below: ['surveys', 'product_tours'],
    instead: 'the answers that SDKs send are events, `survey sent`',
    emptyPages: ['surveys'],
  },
  {
    name: 'usage metrics of groups',
    below: ['groups_metrics'],
    instead: 'trends of the events of a group, and SQL',
  },
  {
    name: 'recordings and heatmaps',
    below: ['session_recordings', 'session_recording_playlists', 'session_summaries', 'heatmaps', 'saved'],
    elsewhere: ['/api/heatmap'],
    instead: '`events?person_id=` and the table `sessions` of SQL show what a person did',
  },
  {
    name: 'error tracking',
    below: ['error_tracking', 'symbol_sets'],
    instead: 'exceptions are events, `$exception`: ask for them in `events`, trends or SQL',
  },
  {
    name: 'logs and traces',
    below: ['logs', 'tracing', 'llm_analytics', 'evaluations', 'llm_prompts'],
    elsewhere: ['/i/v1/logs', '/i/v1/traces', '/i/v0/ai', '/i/v0/logs'],
    instead: 'what an AI did can be sent to `/batch` as events, such as `$ai_generation`',
  },
  {
    name: 'web analytics pages',
    below: ['web_analytics', 'web_vitals'],
    instead: 'trends and paths of `$pageview`, with a breakdown by `$pathname` or `$referring_domain`',
  },
  {
    name: 'notebooks',
    below: ['notebooks'],
    instead: 'dashboards of saved questions with descriptions',
  },
  {
    name: 'exports of pictures and tables',
    below: ['exports'],
    instead: '`query` with `format=csv` or `format=parquet`, and `batch_exports`',
  },
  {
    name: 'destinations and transformations',
    below: [
      ...['hog_functions', 'hog_function_templates', 'hog_flows', 'plugins', 'plugin_configs'],
      ...['pipeline_destinations', 'pipeline_transformations', 'pipeline_import_apps'],
    ],
    instead: 'webhooks, which send the changes of cohorts',
  },
  {
    name: 'data warehouse',
    below: [
      ...['external_data_sources', 'external_data_schemas', 'warehouse_tables', 'warehouse_saved_queries'],
      ...['warehouse_view_link', 'warehouse_view_links', 'data_warehouse', 'managed_viewsets'],
    ],
    instead: '`import` for persons and events of other systems, and SQL over them',
  },
  {
    name: 'subscriptions',
    below: ['subscriptions'],
    instead: '`dashboards/{id}/schedules` for a dashboard each day or week, and `alerts`',
  },
  {
    name: 'assistant',
    below: ['conversations', 'max_tools', 'core_memory', 'tasks'],
    instead: '`/mcp`, the tools with which an assistant of your own asks this service',
  },
];

const segmentOf = (path: string): string | undefined => /^\/api\/projects\/[^/]+\/([^/]+)/.exec(path)?.[1];

/** The feature to which an address belongs that no route answers; null if it belongs to none. */
export const absentFeatureAt = (path: string): AbsentFeature | null => {
  const segment = segmentOf(path) ?? '';
  const isAt = (address: string): boolean => path === address || path.startsWith(`${address}/`);
  return (
    absentFeatures.find(({ below, elsewhere = [] }) => below.includes(segment) || elsewhere.some(isAt)) ??
    absentFeatures.find(({ below }) => below.some((name) => isAt(`/api/${name}`))) ??
    null
  );
};
