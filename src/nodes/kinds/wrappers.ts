import { isFields } from '../../platform/fields/values.js';
import { absentInSql } from '../../sql/ask/query-input.js';
import { presentation, refused, withoutEffect, works, type NodeShape } from '../reading/node-fields.js';
import { dataBasics, nodeBasics } from '../reading/shared-fields.js';

const presentations = (...names: readonly string[]): NodeShape =>
  Object.fromEntries(names.map((name) => [name, presentation]));

const ofTable: NodeShape = {
  tags: presentation,
  ...presentations(
    ...['columns', 'hiddenColumns', 'pinnedColumns', 'full', 'showEventFilter', 'showEventsFilter', 'showSearch'],
    ...['showPropertyFilter', 'showTestAccountFilters', 'showHogQLEditor', 'showActions', 'showRecordingColumn'],
    ...['showDateRange', 'showExport', 'showReload', 'showCount', 'showElapsedTime', 'showTimings'],
    ...['showColumnConfigurator', 'showPersistentColumnConfigurator', 'contextKey', 'showSavedQueries'],
    ...['showSavedFilters', 'showTableViews', 'showAbsoluteTime', 'expandable', 'propertiesViaUrl', 'allowSorting'],
    ...['showOpenEditorButton', 'showResultsTable', 'showSourceQueryOptions', 'embedded', 'context', 'defaultColumns'],
  ),
};

const ofInsight = presentations(
  ...['full', 'showHeader', 'showTable', 'showCorrelationTable', 'showLastComputation', 'showLastComputationRefresh'],
  ...['showFilters', 'showResults', 'embedded', 'suppressSessionAnalysisWarning', 'hidePersonsModal'],
  ...['hideTooltipOnScroll', 'vizSpecificOptions'],
);

const question = { ...nodeBasics, source: works(undefined, 'the question') } satisfies NodeShape;

const dataVisualization: NodeShape = {
  ...question,
  ...presentations('display', 'chartSettings', 'tableSettings'),
};

/** Names the insight whose question the service asks in place of this node. */
export const savedInsightNode: NodeShape = {
  ...nodeBasics,
  shortId: works(undefined, 'it needs `insight:read`, too; the insight must be in SQL, or have a node'),
  ...ofTable,
  ...ofInsight,
};

/** Nodes that show the answer to the node inside of them. */
export const wrapperNodes: Readonly<Record<string, NodeShape>> = {
  DataTableNode: { ...question, ...ofTable },
  DataVisualizationNode: dataVisualization,
  InsightVizNode: { ...question, ...ofInsight },
};

/** The room of SQL reads these nodes; a test compares the declarations with what it does. */
export const sqlNodes: Readonly<Record<string, NodeShape>> = {
  HogQLQuery: {
    ...dataBasics,
    query: works(),
    values: works(),
    variables: works(),
    filters: works(
      undefined,
      '`{filters}` in the text stands for them, `{filters.dateRange.from}` and `.to` for their range',
    ),
    ...Object.fromEntries(Object.entries(absentInSql).map(([name, reason]) => [name, refused(reason)])),
    explain: withoutEffect('`POST query/explain` explains'),
    name: presentation,
  },
  HogQLVariable: {
    code_name: works(),
    value: works(),
    isNull: works(),
    variableId: withoutEffect('`code_name` names the variable'),
  },
};

/** The node that asks, and its place: wrappers around it only show its answer. */
export const innermost = (node: unknown, attr: string): { readonly node: unknown; readonly attr: string } => {
  let [inner, place] = [node, attr];
  while (isFields(inner) && typeof inner.kind === 'string' && Object.hasOwn(wrapperNodes, inner.kind)) {
    inner = inner.source;
    place = `${place}.source`;
  }
  return { node: inner, attr: place };
};

export const savedInsightKind = 'SavedInsightNode';

/** True if the node, or one inside of it, names an insight. */
export const namesInsight = (node: unknown): boolean =>
  isFields(node) && (node.kind === savedInsightKind || namesInsight(node.source));
