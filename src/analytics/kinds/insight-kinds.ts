import { type Parameters } from '../../platform/fields/declaration.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Filter } from '../../filters/reading/filter.js';
import { type Params } from '../../filters/asking/questions.js';
import { type QuestionForm } from '../shared/question-scopes.js';
import { correlationParameters } from '../correlation/correlation.parameters.js';
import { filtersOfCorrelation, readCorrelation } from '../correlation/correlation.query.js';
import { funnelParameters } from '../funnel/funnel.parameters.js';
import { filtersOfFunnel, readFunnel } from '../funnel/funnel.query.js';
import { lifecycleParameters } from '../lifecycle/lifecycle.parameters.js';
import { filtersOfLifecycle, readLifecycle } from '../lifecycle/lifecycle.query.js';
import { pathsParameters, type CleaningRule } from '../paths/paths.parameters.js';
import { filtersOfPaths, readPaths } from '../paths/paths.query.js';
import { retentionParameters } from '../retention/retention.parameters.js';
import { filtersOfRetention, readRetention } from '../retention/retention.query.js';
import { stickinessParameters } from '../stickiness/stickiness.parameters.js';
import { filtersOfStickiness, readStickiness } from '../stickiness/stickiness.query.js';
import { trendsParameters } from '../trends/trends.parameters.js';
import { filtersOfTrends, readTrends } from '../trends/trends.query.js';

/** The parts of a question that only the databases can check. */
export interface ReadQuestion {
  readonly filters: readonly Filter[];
  readonly cleaning: readonly CleaningRule[];
  readonly form: QuestionForm;
}

interface InsightKind {
  readonly parameters: Parameters;
  /** Reads a question; throws if it is not valid, as the route of the insight does. */
  readonly read: (params: Params, project: ProjectContext, now: Date) => ReadQuestion;
}

const kind = <Query>(
  parameters: Parameters,
  read: (params: Params, project: ProjectContext, now: Date) => Query,
  filtersOf: (query: Query) => readonly Filter[],
  formOf: (query: Query) => QuestionForm,
  cleaningOf: (query: Query) => readonly CleaningRule[] = () => [],
): InsightKind => ({
  parameters,
  read: (params, project, now) => {
    const query = read(params, project, now);
    return { filters: filtersOf(query), cleaning: cleaningOf(query), form: formOf(query) };
  },
});

const itself = <Form extends QuestionForm>({ groupType, namedTypes, written = [] }: Form): QuestionForm => ({
  groupType,
  namedTypes,
  written,
});

/** Every insight, with the parameters of its route. */
export const insightKinds = {
  trends: kind(trendsParameters, readTrends, filtersOfTrends, itself),
  funnel: kind(funnelParameters, readFunnel, filtersOfFunnel, itself),
  retention: kind(retentionParameters, readRetention, filtersOfRetention, itself),
  paths: kind(pathsParameters, readPaths, filtersOfPaths, itself, ({ cleaning }) => cleaning),
  lifecycle: kind(lifecycleParameters, readLifecycle, filtersOfLifecycle, itself),
  stickiness: kind(stickinessParameters, readStickiness, filtersOfStickiness, itself),
  correlation: kind(correlationParameters, readCorrelation, filtersOfCorrelation, ({ funnel }) => itself(funnel)),
} as const;

export type InsightType = keyof typeof insightKinds;
