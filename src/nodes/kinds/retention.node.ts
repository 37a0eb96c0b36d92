import { DateTime } from 'luxon';
import { type RetentionDto } from '../../analytics/retention/retention.dto.js';
import { usualIntervals } from '../../analytics/retention/retention.parameters.js';
import { entityOfRetention } from '../reading/entities.js';
import { becomes, objectOf, presentation, refused, withoutEffect, type NodeShape } from '../reading/node-fields.js';
import { insightBasics, noWarehouse, refusedObject } from '../reading/shared-fields.js';
import { type InsightNode } from './insight-node.js';

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
  timeWindowMode: refused('intervals are those of the calendar', ['strict_calendar_dates']),
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
};

const fields: NodeShape = {
  ...insightBasics,
  dateRange: objectOf(endOfRange),
  retentionFilter: objectOf(retentionFilter),
  breakdownFilter: refusedObject('retention has no breakdown: filter by `properties` instead'),
};

export const retentionNode: InsightNode = {
  insight: 'retention',
  fields,
  defaults: { total_intervals: 8 },
  ownDefaults: { total_intervals: usualIntervals },
  present: (insight) => {
    const { matrix, dates, labels, mean, timezone: zone } = insight as RetentionDto;
    const [period = ''] = labels[0]?.split(' ') ?? [];
    const momentOf = (date = '') => DateTime.fromISO(date.replace(' ', 'T'), { zone });
    const results = matrix.map((row, at) => ({
      values: row.map((count, later) => ({ count, label: labels[later] })),
      label: `${period} ${at}`,
      date: momentOf(dates[at]).toISO({ suppressMilliseconds: true }),
    }));
    return { results, mean };
  },
};

export const retentionTable = {
  RetentionQuery: fields,
  RetentionFilter: retentionFilter,
} satisfies Record<string, NodeShape>;
