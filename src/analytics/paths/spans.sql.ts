import { type Sql, empty, integer, join, list, numeral, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { type QuestionScope } from '../shared/question-scopes.js';
import { actorAttempts } from '../funnel/attempts.sql.js';
import { layoutOf } from '../funnel/layout.sql.js';
import { type Reached } from '../funnel/selection.js';
import { type FunnelPaths } from './funnel-paths.js';
import { type FunnelPart } from './paths.parameters.js';
import { type TimeRange } from '../../platform/time/range.js';

/**
 * The time span of each actor that the funnel selects, from `begins` to `ends` in milliseconds: before, between or after the selected
 * step, or the last step reached, in the first of the best attempts.
 */
export const spansSql = ({ part, funnel }: FunnelPaths, range: TimeRange, scope: QuestionScope): Sql => {
  const layout = layoutOf(funnel, range);
  const { reached } = funnel.selection;
  const times = join(funnel.steps.map((_, at) => sql`toInt64(best.${numeral(at + 2)})`));
  const step = 'atLeast' in reached ? unsigned(reached.atLeast) : sql`reach`;
  const moment = (back: Sql) => sql`(times[${step}${back}] + ${integer(range.from.getTime())})`;
  const window = integer(funnel.windowMs);
  const ends: Record<FunnelPart, readonly [Sql, Sql]> = {
    // The way to a step that was not taken ends with the window, not with the last step that was taken.
    before: [sql`${moment(empty)} - ${window}`, isDropOff(reached) ? sql`${moment(empty)} + ${window}` : moment(empty)],
    between: [moment(sql` - 1`), moment(empty)],
    after: [moment(empty), sql`${moment(empty)} + ${window}`],
  };
  const [begin, end] = ends[part];
  return sql`
    SELECT actor, ${begin} AS begins, ${end} AS ends
    FROM (
      SELECT actor, reach, arrayFirst(a -> a.1 = reach, attempts) AS best, [${times}] AS times
      FROM (
        SELECT actor, attempts, arrayMax(a -> a.1, attempts) AS reach
        FROM (${actorAttempts(layout, null, scope)}) WHERE notEmpty(attempts)))
    WHERE ${hasReached(reached)}`;
};

const isDropOff = (reached: Reached): boolean => 'exactly' in reached && reached.droppedOff;

const hasReached = (reached: Reached): Sql =>
  'atLeast' in reached ? sql`reach >= ${unsigned(reached.atLeast)}` : sql`reach IN ${list(unsigned, reached.exactly)}`;
