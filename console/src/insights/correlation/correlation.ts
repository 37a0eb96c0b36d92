import { type Schemas } from '../../api/types';
import { textOf, type Question } from '../../address/search';
import { capital } from '../../filters/account-words';
import { formatNumber, formatShare, type Noun } from '../../ui/format';
import { type Actors } from '../actors';
import { type Cell, type NumbersTable, type Point } from '../kind';
import { type Params } from '../question/params';
import { pValue, significanceText } from './significance';

export type CorrelationInsight = Schemas['CorrelationDto'];
export type CorrelationRow = CorrelationInsight['correlations'][number];

export const correlationTypes = ([one]: Noun) => [
  { value: 'events', label: 'Events' },
  { value: 'properties', label: `${capital(one)} properties` },
  { value: 'event_with_properties', label: 'Event properties' },
];

export const typeOf = ({ funnel_correlation_type }: Question): string => textOf(funnel_correlation_type) ?? 'events';

export const rowText = ({ event, property, value }: CorrelationRow): string => {
  const condition = property === null ? '' : `${property} = ${value === '' ? '(none)' : value}`;
  return [event ?? '', condition].filter((text) => text !== '').join(': ');
};

/** The parameters that select the persons of a row. */
const selection = ({ event, property, value }: CorrelationRow) => {
  if (event === null) {
    const filter = [{ type: 'person', key: property, value, operator: 'exact' }];
    return { funnel_correlation_property_values: filter };
  }
  const properties =
    property === null ? {} : { properties: [{ type: 'event', key: property, value, operator: 'exact' }] };
  return { funnel_correlation_person_entity: { id: event, ...properties } };
};

export const totalPoint = (converted: boolean): Point => ({
  title: converted ? 'Converted' : 'Did not convert',
  params: { funnel_correlation_person_converted: converted },
});

export const rowPoint = (row: CorrelationRow, converted: boolean): Point => ({
  title: `${rowText(row)}, ${converted ? 'converted' : 'did not convert'}`,
  params: { ...selection(row), funnel_correlation_person_converted: converted },
});

const times = (ratio: number): string => formatNumber(ratio >= 100 ? Math.round(ratio) : ratio);

export const oddsText = ({ odds_ratio }: CorrelationRow): string =>
  odds_ratio >= 1 ? `${times(odds_ratio)}×` : `1/${times(1 / odds_ratio)}×`;

const counted = (count: number, of: number, point: Point): Cell => ({
  value: count,
  text: of === 0 ? undefined : `${formatNumber(count)} (${formatShare(count / of)})`,
  point,
});

const significanceOf = (row: CorrelationRow, insight: CorrelationInsight, [, many]: Noun): string =>
  significanceText(
    pValue({
      success: row.success_count,
      failure: row.failure_count,
      successTotal: insight.success_total,
      failureTotal: insight.failure_total,
    }),
    many,
  );

export const correlationTable = (insight: CorrelationInsight, _: Params, { noun }: Actors): NumbersTable => ({
  caption: 'Correlation with the conversion',
  columns: [`${capital(noun[1])} with`, 'Odds ratio', 'More often', 'Converted', 'Did not convert', 'Significance'],
  rows: insight.correlations.map((row) => [
    { value: rowText(row) },
    { value: row.odds_ratio, text: oddsText(row) },
    { value: row.correlation_type === 'success' ? '▲ converted' : '▼ did not convert' },
    counted(row.success_count, insight.success_total, rowPoint(row, true)),
    counted(row.failure_count, insight.failure_total, rowPoint(row, false)),
    { value: significanceOf(row, insight, noun) },
  ]),
});
