import { invalidInput, Problem, required } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Filter } from '../../filters/reading/filter.js';
import { type Params } from '../../filters/asking/questions.js';
import { type FunnelQuery, filtersOfFunnel, readFunnel, asPart } from '../funnel/funnel.query.js';
import { funnelPartOf, pathsParameters, type FunnelPart } from './paths.parameters.js';

/** The paths of the persons that the selection of a funnel names, relative to the last step of the selection. */
export interface FunnelPaths {
  readonly part: FunnelPart;
  readonly funnel: FunnelQuery;
  readonly filters: readonly Filter[];
}

export const readFunnelPaths = (params: Params, project: ProjectContext, now: Date): FunnelPaths | null => {
  const name = params.reader(pathsParameters)('funnel_paths');
  if (name === null) return null;
  const part = funnelPartOf(name);
  const funnel = readFunnelFilter(params, project, now);
  if (part === 'between') assertStepBefore(funnel);
  return { part, funnel, filters: filtersOfFunnel(funnel) };
};

/** Reads the funnel; values in `funnel_filter` replace the parameters of the question. */
const readFunnelFilter = (params: Params, project: ProjectContext, now: Date): FunnelQuery => {
  const own = params.reader(pathsParameters)('funnel_filter');
  if (own === null) return requireSteps(readFunnel(params, project, now), 'events');
  try {
    return requireSteps(readFunnel(params.with({ ...withoutSteps(own), ...own }), project, now), 'events');
  } catch (error) {
    throw placedIn(own, error);
  }
};

/** Steps in `funnel_filter` replace the steps of the question, whether they are events or actions. */
const withoutSteps = (own: object): object => ('events' in own || 'actions' in own ? { events: [], actions: [] } : {});

const requireSteps = (funnel: FunnelQuery, attr: string): FunnelQuery => {
  if (funnel.steps.length === 0) throw required(attr);
  return asPart(funnel);
};

/** Prefixes the path of an error with `funnel_filter` if the faulty value comes from there. */
const placedIn = (own: object, error: unknown): unknown => {
  if (!(error instanceof Problem) || error.attr === null) return error;
  const [first = ''] = error.attr.split('.');
  if (!Object.hasOwn(own, first)) return error;
  const { status, type, code, detail, attr } = error;
  return new Problem(status, type, code, detail, `funnel_filter.${attr}`);
};

const assertStepBefore = ({ selection: { reached } }: FunnelQuery): void => {
  if ('atLeast' in reached ? reached.atLeast > 1 : !reached.exactly.includes(1)) return;
  throw invalidInput(
    'funnel_step must be 2 or more, or -3 or less: between_steps is about the paths from the previous step',
    'funnel_step',
  );
};
