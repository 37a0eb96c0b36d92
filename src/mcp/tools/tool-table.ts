/** A request that finds numbers for a preview: how many records the change concerns, and which. */
export interface PreviewPart {
  /** The name of the part in the preview. */
  readonly as: string;
  /** The `operationId` of the request, which reads. */
  readonly of: string;
  /** The argument of the call that names the records. The part is left out if the call lacks it. */
  readonly from: string;
  /** The parameter of the request that gets it. */
  readonly to: string;
  /** True if the parameter takes a whole list. Otherwise each record of the list has a request of its own. */
  readonly whole?: boolean;
  /** The keys of the answer that the preview shows. */
  readonly keeps: readonly string[];
}

/** An operation of `/openapi.json` as a tool has it. */
export interface ToolOperation {
  /** Its `operationId`. */
  readonly of: string;
  /** Arguments that the tool sends unless the call has others. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Arguments that the tool always sends. A call must not have them. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Present if the operation deletes or merges: it then runs only with the token of a preview. */
  readonly preview?: readonly PreviewPart[];
}

export interface Tool {
  readonly name: string;
  readonly about: string;
  /** The words that a call has in `operation`. A tool with a single one does without. */
  readonly operations: Readonly<Record<string, ToolOperation>>;
  /** The arguments that the definition describes. A call may have all arguments of its operation. */
  readonly shows: readonly string[];
  /** Keys that are left out of answers, wherever they occur. */
  readonly omits: readonly string[];
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  /** A repeated call changes nothing further. */
  readonly isIdempotent: boolean;
}

const page = { defaults: { limit: 20 } };
const numbers = { defaults: { include: 'insight' } };
const ofPersons = ['uuid'];
const ofRecords = ['hedgehog_config', 'experiment_set', 'created_by', 'groups'];

const person = ['id', 'name', 'distinct_id_count', 'created_at'];
const counted = (from: string): PreviewPart[] => [
  { as: 'persons', of: 'getPerson', from, to: 'id', keeps: person },
  { as: 'events', of: 'listEvents', from, to: 'person_id', keeps: ['count'] },
];
const byDistinctIds: PreviewPart = {
  ...{ as: 'persons_of_distinct_ids', of: 'listPersons', from: 'distinct_ids', to: 'distinct_id', whole: true },
  keeps: ['count', 'id', 'name', 'distinct_id_count'],
};
const named = (of: string, ...keeps: string[]): { readonly preview: readonly PreviewPart[] } => ({
  preview: [{ as: 'record', of, from: 'id', to: 'id', keeps: ['id', 'name', 'url', ...keeps] }],
});

const reads = { isReadOnly: true, isDestructive: false, isIdempotent: true };
const changes = { isReadOnly: false, isDestructive: false, isIdempotent: false };
const deletes = { isReadOnly: false, isDestructive: true, isIdempotent: true };

/**
 * The decisions that make tools of the API: everything else follows from `/openapi.json`. A test compares the two, so each
 * operation of the document is here or in `notForPrograms`.
 */
export const tools: readonly Tool[] = [
  {
    name: 'find_persons',
    about: 'Persons and their profiles: a list by search, filters or cohort, or one person by id or uuid.',
    operations: {
      list: { of: 'listPersons', ...page },
      get: { of: 'getPerson' },
      cohorts: { of: 'listPersonCohorts', ...page },
      distinct_ids: { of: 'listDistinctIds', ...page },
      by_distinct_ids: { of: 'getPersonsByDistinctIds' },
      by_uuids: { of: 'getPersonsByUuids' },
      merges: { of: 'listPersonMerges', ...page },
      timeline: { of: 'getPersonPropertiesTimeline' },
      activity: { of: 'listPersonActivity', ...page },
    },
    shows: ['id', 'search', 'email', 'distinct_id', 'properties', 'cohort', 'limit', 'cursor'],
    omits: ofPersons,
    ...reads,
  },
  {
    name: 'find_groups',
    about:
      'Groups, such as companies, to which events belong: types, a list by search, one by id or key, its persons and events.',
    operations: {
      list: { of: 'listGroups', ...page },
      get: { of: 'getGroup' },
      find: { of: 'findGroup' },
      types: { of: 'listGroupTypes' },
      persons: { of: 'listGroupPersons', ...page },
      events: { of: 'listGroupEvents', ...page },
      related: { of: 'listRelated' },
      cohorts: { of: 'listGroupCohorts', ...page },
      history: { of: 'getGroupPropertyHistory', ...page },
      activity: { of: 'listGroupActivity', ...page },
    },
    shows: ['id', 'group_type_index', 'group_key', 'search', 'limit', 'cursor'],
    omits: [],
    ...reads,
  },
  {
    name: 'read_events',
    about: 'Single events, newest first; what arrives, or was refused.',
    operations: {
      list: { of: 'listEvents', ...page },
      get: { of: 'getEvent' },
      live: { of: 'getLiveSummary' },
      ingestion: { of: 'getIngestion' },
      warnings: { of: 'listIngestionWarnings', ...page },
    },
    shows: ['event', 'person_id', 'after', 'before', 'properties', 'limit', 'cursor'],
    omits: [],
    ...reads,
  },
  {
    name: 'read_catalogue',
    about: 'The names to ask about. Call it first: events with counts, property keys and their values.',
    operations: {
      events: { of: 'listCatalogueEvents', defaults: { limit: 50 } },
      properties: { of: 'listCatalogueProperties', defaults: { limit: 50 } },
      values: { of: 'listPropertyValues', ...page },
      event_values: { of: 'listEventPropertyValues', ...page },
      event_counts: { of: 'listEventNames', defaults: { limit: 50 } },
      person_properties: { of: 'listPersonProperties', defaults: { limit: 50 } },
      group_properties: { of: 'listGroupProperties' },
      group_values: { of: 'listGroupPropertyValues', ...page },
    },
    shows: ['search', 'key', 'type', 'kind', 'limit', 'offset'],
    omits: ['used_by', 'owner', 'updated_at', 'updated_by', 'last_user'],
    ...reads,
  },
  {
    name: 'ask_insight',
    about:
      'Numbers over time or steps. `include: "persons"` lists the persons behind a number instead, selected by funnel_step, day, series and the like.',
    operations: {
      trends: { of: 'getTrends', ...numbers },
      funnel: { of: 'getFunnel', ...numbers },
      correlation: { of: 'getFunnelCorrelation', ...numbers },
      retention: { of: 'getRetention', ...numbers },
      paths: { of: 'getPaths', ...numbers },
      lifecycle: { of: 'getLifecycle', ...numbers },
      stickiness: { of: 'getStickiness', ...numbers },
    },
    shows: [
      ...[
        'events',
        'date_from',
        'date_to',
        'interval',
        'properties',
        'breakdown',
        'breakdown_type',
        'display',
        'formula',
      ],
      ...[
        'funnel_window_interval',
        'target_entity',
        'returning_entity',
        'period',
        'total_intervals',
        'include',
        'limit',
      ],
    ],
    omits: ofPersons,
    ...reads,
  },
  {
    name: 'query_sql',
    about:
      'A SELECT of ClickHouse over events, persons, groups, cohorts, cohort_people, cohort_groups, sessions: for all else. `schema` lists columns.',
    operations: { ask: { of: 'askInSql' }, explain: { of: 'explainInSql' }, schema: { of: 'getQuerySchema' } },
    shows: ['query', 'values', 'limit', 'offset'],
    omits: ['functions', 'hogql', 'clickhouse', 'rows_read', 'elapsed_ms'],
    ...reads,
  },
  {
    name: 'read_cohorts',
    about: 'Cohorts, their members, changes and history; `preview` counts a definition unsaved.',
    operations: {
      list: { of: 'listCohorts', ...page },
      get: { of: 'getCohort' },
      persons: { of: 'listCohortPersons', ...page },
      groups: { of: 'listCohortGroups', ...page },
      history: { of: 'getCohortHistory' },
      changes: { of: 'listCohortChanges', ...page },
      group_changes: { of: 'listCohortGroupChanges', ...page },
      explain: { of: 'explainCohort' },
      preview: { of: 'previewCohort' },
      upload: { of: 'getCohortUpload' },
      membership: { of: 'checkMembership' },
      activity: { of: 'listCohortActivity', ...page },
    },
    shows: ['id', 'search', 'filters', 'person_id', 'limit', 'cursor'],
    omits: [...ofRecords, ...ofPersons],
    ...reads,
  },
  {
    name: 'change_cohort',
    about: 'Make and change cohorts. To delete one: delete_records.',
    operations: {
      create: { of: 'createCohort', defaults: { wait: 10 } },
      update: { of: 'updateCohort', defaults: { wait: 10 } },
      recalculate: { of: 'recalculateCohort', defaults: { wait: 10 } },
      copy_as_static: { of: 'duplicateCohort' },
      add_persons: { of: 'addPersonsToCohort' },
      remove_person: { of: 'removePersonFromCohort' },
    },
    shows: ['id', 'name', 'filters', 'is_static', 'person_ids', 'query'],
    omits: ofRecords,
    ...changes,
  },
  {
    name: 'change_person',
    about: 'Set or remove properties of a person; undo a merge or a split.',
    operations: {
      set: { of: 'updatePerson' },
      set_one: { of: 'updatePersonProperty' },
      remove: { of: 'deletePersonProperty' },
      undo_merge: { of: 'undoPersonMerge' },
      undo_split: { of: 'undoPersonSplit' },
    },
    shows: ['id', 'properties', 'key', 'value', '$unset', 'merge_id'],
    omits: ofPersons,
    ...changes,
    isIdempotent: true,
  },
  {
    name: 'change_group',
    about: 'Make a group, or set and remove its properties. To delete one: delete_records.',
    operations: { create: { of: 'createGroup' }, set: { of: 'updateGroup' } },
    shows: ['id', 'group_type', 'group_type_index', 'group_key', 'group_properties'],
    omits: [],
    ...changes,
  },
  {
    name: 'merge_or_delete_persons',
    about: 'Merge persons into one, split one, delete persons with or without their events.',
    operations: {
      merge: {
        of: 'mergePerson',
        preview: [
          ...counted('id'),
          ...counted('persons').map((part) => ({ ...part, as: `merged_${part.as}` })),
          byDistinctIds,
        ],
      },
      split: {
        of: 'splitPerson',
        preview: [
          ...counted('id'),
          { as: 'distinct_ids', of: 'listDistinctIds', from: 'id', to: 'id', keeps: ['count', 'distinct_id'] },
        ],
      },
      delete: { of: 'deletePerson', preview: counted('id') },
      delete_events: { of: 'deletePersonEvents', preview: counted('id') },
      delete_many: { of: 'deletePersons', preview: [...counted('ids'), byDistinctIds] },
    },
    shows: ['id', 'persons', 'distinct_ids', 'ids', 'distinct_ids_to_split', 'delete_events'],
    omits: ofPersons,
    ...deletes,
  },
  {
    name: 'read_saved',
    about: 'Saved questions (insights), their answers, dashboards, actions, annotations, flags, alerts.',
    operations: {
      insights: { of: 'listInsights', ...page },
      insight: { of: 'getInsight' },
      answer: { of: 'getInsightAnswer' },
      dashboards: { of: 'listDashboards', ...page },
      dashboard: { of: 'getDashboard' },
      dashboard_answers: { of: 'getDashboardAnswers' },
      actions: { of: 'listActions', ...page },
      action: { of: 'getAction' },
      annotations: { of: 'listAnnotations', ...page },
      annotation: { of: 'getAnnotation' },
      feature_flags: { of: 'listFeatureFlags', ...page },
      feature_flag: { of: 'getFeatureFlag' },
      preview_flag: { of: 'previewFeatureFlag' },
      alerts: { of: 'listAlerts', ...page },
      alert: { of: 'getAlert' },
      backtest: { of: 'backtestAlert', defaults: { days: 30 } },
      backtest_new: { of: 'backtestNewAlert', defaults: { days: 30 } },
    },
    shows: ['id', 'search', 'limit', 'offset'],
    omits: ofRecords,
    ...reads,
  },
  {
    name: 'change_saved',
    about:
      'Make and change saved questions, dashboards, actions, annotations, flags and alerts; describe events and properties.',
    operations: {
      create_insight: { of: 'createInsight' },
      update_insight: { of: 'updateInsight' },
      create_dashboard: { of: 'createDashboard' },
      update_dashboard: { of: 'updateDashboard' },
      create_action: { of: 'createAction' },
      update_action: { of: 'updateAction' },
      create_annotation: { of: 'createAnnotation' },
      update_annotation: { of: 'updateAnnotation' },
      create_feature_flag: { of: 'createFeatureFlag' },
      update_feature_flag: { of: 'updateFeatureFlag' },
      create_alert: { of: 'createAlert' },
      update_alert: { of: 'updateAlert' },
      describe_event: { of: 'describeEvent' },
      describe_property: { of: 'describeProperty' },
    },
    shows: ['id', 'name', 'description', 'question', 'steps', 'tiles', 'content', 'date_marker'],
    omits: ofRecords,
    ...changes,
  },
  {
    name: 'read_project',
    about: 'Projects and settings, this key, quotas, retention, who changed what, deletions, webhooks.',
    operations: {
      projects: { of: 'listProjects', ...page },
      project: { of: 'getProject' },
      key: { of: 'getCurrentKey' },
      quotas: { of: 'getQuotas' },
      costs: { of: 'listProjectCosts', ...page },
      retention: { of: 'getDataRetention', ...page },
      activity: { of: 'listProjectActivity', ...page },
      persons_activity: { of: 'listPersonsActivity', ...page },
      cohorts_activity: { of: 'listCohortsActivity', ...page },
      audit: { of: 'listAuditTrail', ...page },
      deletion_requests: { of: 'listDeletionRequests', ...page },
      deletion_request: { of: 'getDeletionRequest' },
      import: { of: 'getImport' },
      webhooks: { of: 'listWebhooks', ...page },
      webhook: { of: 'getWebhook' },
      deliveries: { of: 'listWebhookDeliveries', ...page },
    },
    shows: ['id', 'limit', 'offset'],
    omits: ['hedgehog_config', 'api_token'],
    ...reads,
  },
  {
    name: 'change_webhook',
    about: 'Send the changes of cohorts, and notices, to an address.',
    operations: {
      create: { of: 'createWebhook' },
      update: { of: 'updateWebhook' },
      test: { of: 'testWebhook' },
      replay: { of: 'replayWebhookDelivery' },
      resync: { of: 'resyncWebhook' },
    },
    shows: ['id', 'url', 'cohorts', 'paused'],
    omits: ofRecords,
    ...changes,
  },
  {
    name: 'delete_records',
    about: 'Delete a group, cohort, saved question, dashboard, action, annotation, flag, alert or webhook.',
    operations: {
      group: { of: 'deleteGroup', ...named('getGroup', 'group_key') },
      cohort: { of: 'updateCohort', fixed: { deleted: true }, ...named('getCohort', 'count', 'is_static') },
      insight: { of: 'deleteInsight', ...named('getInsight') },
      dashboard: { of: 'deleteDashboard', ...named('getDashboard', 'tiles') },
      action: { of: 'deleteAction', ...named('getAction', 'used_by') },
      annotation: { of: 'deleteAnnotation', ...named('getAnnotation', 'content', 'date_marker') },
      feature_flag: { of: 'deleteFeatureFlag', ...named('getFeatureFlag', 'key', 'active') },
      alert: { of: 'deleteAlert', ...named('getAlert', 'state') },
      webhook: { of: 'deleteWebhook', ...named('getWebhook', 'paused') },
    },
    shows: ['id'],
    omits: ofRecords,
    ...deletes,
  },
];

/** Operations that no tool has, with the reason. */
export const notForPrograms: Readonly<Record<string, readonly string[]>> = {
  'SDKs and backends send events': [
    ...['capture', 'captureByQuery', 'captureWithResults', 'captureMessages', 'captureMessagesByQuery'],
  ],
  'SDKs ask for flags, with the token of a project or to decide themselves': [
    ...['askFlags', 'askFlagsByQuery', 'decideFlags', 'decideFlagsByQuery', 'evaluateFlags', 'evaluateFlag'],
    ...['getLocalEvaluation', 'getFlagDefinitions', 'getRemoteConfig'],
  ],
  'the answer is a file or a stream': [
    'exportEvents',
    'exportPersons',
    'exportPerson',
    'exportGroups',
    'importRecords',
    'watchEvents',
  ],
  'another operation answers the same question by GET': ['askFunnel', 'askFunnelCorrelation', 'askPaths'],
  'it is for clients of the reference product': ['askNode'],
  'the body is a list, and a call has named arguments': ['updateGroupTypes'],
  'a person decides who may do what, and what is kept': [
    ...['createProject', 'updateProject', 'deleteProject', 'rotateProjectToken', 'requestDeletion'],
    ...['listProjectDeletions', 'getProjectDeletion'],
    ...[
      'listKeys',
      'createKey',
      'listKeysActivity',
      'getKey',
      'updateKey',
      'revokeKey',
      'listKeyCreations',
      'rotateKey',
    ],
    ...['listMembers', 'addMember', 'getMember', 'updateMember', 'removeMember'],
    ...['listInvitations', 'createInvitation', 'revokeInvitation', 'previewInvitation', 'acceptInvitation'],
    ...['listUsers', 'createUser', 'getUser', 'updateUser', 'deleteUser', 'createPasswordLink', 'listUserActivity'],
    ...['listOrganizations', 'getOrganization', 'listOrganizationProjects'],
    ...['getMe', 'updateMe', 'listMyActivity', 'listSessionsOfUser', 'endSessionsOfUser', 'listSessions', 'endSession'],
    ...['startSingleSignOn', 'signIn', 'signOut'],
  ],
  'another operation answers the same in a form of our own': [
    ...['listEventDefinitions', 'getEventDefinition', 'updateEventDefinition'],
    ...['listPropertyDefinitions', 'getPropertyDefinition', 'updatePropertyDefinition'],
  ],
  'a person decides which files go to which bucket': [
    ...['listBatchExports', 'getBatchExport', 'listBatchExportRuns'],
    ...['createBatchExport', 'updateBatchExport', 'deleteBatchExport'],
  ],
  'a person decides who sees numbers without an account': [
    ...['listDashboardLinks', 'createDashboardLink', 'revokeDashboardLink', 'getSharedDashboard', 'getSharedAnswers'],
    ...['listDashboardSchedules', 'createDashboardSchedule', 'sendDashboardSchedule', 'deleteDashboardSchedule'],
  ],
  'the answer is always empty': ['listNothing'],
  'pages, health checks, and the tools themselves': [
    ...['getConsole', 'home', 'live', 'ready', 'listBackgroundWork', 'metrics'],
    'callTool',
  ],
};
