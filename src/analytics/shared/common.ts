import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Interval } from '../../platform/time/intervals.js';
import { readRange, type DateRange, type RangeOptions, type TimeRange } from '../../platform/time/range.js';
import { type Filter, allOf, everything } from '../../filters/reading/filter.js';
import { testAccountFilters } from '../../filters/checks/test-account-filters.js';
import { commonParameters } from './common.parameters.js';
import { type Entity } from './entity.js';
import { type InsightDto } from './insight-page.dto.js';
import { type Params } from '../../filters/asking/questions.js';
import { type QuestionScope } from './question-scopes.js';

/** The entity of a question that names no events. */
export const anyEvent: Entity = { name: 'All events', order: 0, parts: [{ event: null, filter: everything }] };

/** The filter that every event must pass: `properties`, and on request the test-account filters of the project. */
export const readCommonFilter = (params: Params, project: ProjectContext): Filter => {
  const read = params.reader(commonParameters);
  const filter = read('properties');
  return read('filter_test_accounts') ? allOf(filter, testAccountFilters(project)) : filter;
};

/** The time range from `date_from` to `date_to`. */
export const readQuestionRange = (
  params: Params,
  interval: Interval,
  now: Date,
  project: ProjectContext,
  options?: RangeOptions,
): DateRange => {
  const read = params.reader(commonParameters);
  const [date_from, date_to] = [read('date_from'), read('date_to') ?? undefined];
  return readRange({ date_from, date_to }, interval, now, project, options);
};

export const insightHead = ({ project, asOf }: QuestionScope, { from, to }: TimeRange): InsightDto => ({
  date_from: from.toISOString(),
  date_to: to.toISOString(),
  timezone: project.timezone,
  as_of: asOf.toISOString(),
});
