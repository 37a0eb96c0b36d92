import { DateTime } from 'luxon';
import { otherName } from '../../analytics/shared/breakdown.js';
import { type RetentionDto } from '../../analytics/retention/retention.dto.js';
import { usualIntervals } from '../../analytics/retention/retention.parameters.js';
import { type Fields } from '../../platform/fields/values.js';
import { entityOfRetention } from '../reading/entities.js';
import { becomes, objectOf, presentation, refused, withoutEffect, type NodeShape } from '../reading/node-fields.js';
import { breakdownFilter, insightBasics, noWarehouse } from '../reading/shared-fields.js';
import { type Translation } from '../reading/translation.js';
import { shownBreakdownValue, type InsightNode } from './insight-node.js';

const onlyCounts = 'the cells are numbers of persons';

const retentionFilter: NodeShape = {
  retentionType: becomes('retention_type'),
  totalIntervals: becomes('total_intervals', '8 by default'),
  minimumOccurrences: becomes('minimum_occurrences'),
  returningEntity: entityOfRetention('returning_entity'),
  targetEntity: entityOfRetention('target_entity'),
  period: becomes('period'),
  cumulative: becomes('cumulative'),
  meanRetentionCalculation: becomes('mean_retention_calculation', 'the answer has `mean` beside `results`'),
  timeWindowMode: becomes('time_window_mode', 'with `24_hour_windows` to the millisecond, and not by breakdowns'),
  retentionCustomBrackets: becomes('retention_custom_brackets'),
  aggregationType: refused(onlyCounts, ['count']),
  aggregationProperty: refused(onlyCounts),
  aggregationPropertyType: refused(noWarehouse, ['event', 'person']),
  customAggregationTarget: refused('retention counts persons'),
  retentionReference: presentation,
  display: presentation,
  dashboardDisplay: presentation,
  showTrendLines: presentation,
  selectedInterval: presentation,
  goalLines: presentation,
  cohortLabelStartIndex: presentation,
};

/** The range is the intervals up to its end. */
const endOfRange: NodeShape = {
  date_from: withoutEffect('in retention the range is `totalIntervals` periods up to `date_to`'),
  date_to: becomes('date_to'),
  explicitDate: withoutEffect('in retention the intervals are whole'),
  excludeIncompletePeriods: withoutEffect('in retention the interval of `date_to` is the last one'),
};

const fields: NodeShape = {
  ...insightBasics,
  dateRange: objectOf(endOfRange),
  retentionFilter: objectOf(retentionFilter),
  breakdownFilter: objectOf(breakdownFilter),
};

/** A missing value is empty in a retention. */
const shownValue = (value: string | string[], translation: Translation): unknown =>
  value === '' || Array.isArray(value) ? value : shownBreakdownValue(value, translation);

export const retentionNode: InsightNode = {
  insight: 'retention',
  fields,
  defaults: { total_intervals: 8 },
  ownDefaults: { total_intervals: usualIntervals },
  present: (insight, translation) => {
    const { matrix, breakdown, dates, labels, mean, timezone: zone } = insight as RetentionDto;
    const [period = ''] = labels[0]?.split(' ') ?? [];
    const momentOf = (date = '') => DateTime.fromISO(date.replace(' ', 'T'), { zone });
    const rowsOf = (rows: RetentionDto['matrix'], more: Fields) =>
      rows.map((row, at) => ({
        values: row.map((count, later) => ({ count, label: labels[later] })),
        label: `${period} ${at}`,
        date: momentOf(dates[at]).toISO({ suppressMilliseconds: true }),
        ...more,
      }));
    if (breakdown === undefined) return { results: rowsOf(matrix, {}), mean };
    const shown =
      translation.shown.hidesOther === true ? breakdown.filter(({ value }) => value !== otherName) : breakdown;
    const results = shown.flatMap(({ value, matrix: own }) =>
      rowsOf(own, { breakdown_value: shownValue(value, translation) }),
    );
    return { results, mean };
  },
};

export const retentionTable = {
  RetentionQuery: fields,
  RetentionFilter: retentionFilter,
} satisfies Record<string, NodeShape>;
