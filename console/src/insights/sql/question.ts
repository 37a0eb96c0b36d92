import { groupTypeOf } from '../actors';
import { type InsightHead, type SqlSettings } from '../kind';
import { anyEvent, readEntities, type Entity } from '../question/entities';
import { type Params } from '../question/params';
import { type SqlQuestion, type SqlSeries } from './statement';

/** The maths of series that a statement can count too. */
const counted: Readonly<Record<string, SqlSeries['counts']>> = { total: 'events', dau: 'persons' };

const seriesOf = ({ type, id, any_of, math = 'total', properties }: Entity): SqlSeries | null => {
  const counts = counted[math];
  if (any_of !== undefined || counts === undefined) return null;
  return { id, isAction: type === 'actions', counts, filter: properties };
};

/** Null if a part of the question has no statement. */
export const sqlQuestion = (
  { date_from, date_to, timezone, interval }: InsightHead & { readonly interval: string },
  params: Params,
  { weekStartDay, testAccountFilters }: SqlSettings,
  wholeFrom: string | null = null,
): SqlQuestion | null => {
  if (groupTypeOf(params) !== null) return null;
  const entities = readEntities(params);
  const series = (entities.length === 0 ? [anyEvent] : entities).map(seriesOf);
  if (date_from === undefined || date_to === undefined || !series.every((one) => one !== null)) return null;
  const filters = [
    ...(params.properties === undefined ? [] : [params.properties]),
    ...(params.filter_test_accounts === true && testAccountFilters.length > 0 ? [testAccountFilters] : []),
  ];
  return { series, filters, interval, from: date_from, to: date_to, wholeFrom, timezone, weekStartDay };
};
