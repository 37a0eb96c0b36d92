import { type ProjectContext } from '../../kernel/access/project-context.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import {
  isFields,
  readChoice,
  readInteger,
  requireFields,
  requireList,
  requireObject,
} from '../../platform/fields/values.js';
import { requireDate } from '../../platform/time/dates.js';
import { inZone } from '../../platform/time/intervals.js';
import {
  conditionTypes,
  thresholdTypes,
  type AlertRule,
  type AlertBounds,
  type AlertCondition,
  type Threshold,
} from './alert-rule.js';

export const maxSeriesIndex = 25;
export const maxSubscribers = 50;
export const bandLimits = { deviations: { min: 0, max: 100 }, periods: { min: 3, max: 26 } } as const;
const usualBand = { deviations: 3, periods: 8 } as const;

const finite = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Reads `{"type": "absolute_value"}`, or `{"type": "band", "deviations": 3, "periods": 8}`. */
export const readCondition = (value: unknown): AlertCondition => {
  const { type: sent, ...rest } = requireObject(value, 'condition');
  if (sent === undefined || sent === null) throw required('condition.type');
  const type = readChoice(sent, 'condition.type', conditionTypes);
  requireFields(rest, 'condition', type === 'band' ? ['deviations', 'periods'] : []);
  if (type !== 'band') return { type };
  const { deviations = usualBand.deviations, periods = usualBand.periods } = rest;
  const { max } = bandLimits.deviations;
  if (!finite(deviations) || deviations <= 0 || deviations > max)
    throw invalidInput(`condition.deviations must be a number above 0, at most ${max}`, 'condition.deviations');
  return { type, deviations, periods: readInteger(periods, 'condition.periods', bandLimits.periods) };
};

/** Its `name`, `id` and `created_at`, which clients of the reference send, have no effect. */
export const readThreshold = (value: unknown): Threshold | null => {
  if (value === undefined || value === null) return null;
  const { configuration } = requireFields(value, 'threshold', ['configuration', 'id', 'name', 'created_at']);
  if (configuration === undefined || configuration === null) throw required('threshold.configuration');
  const attr = 'threshold.configuration';
  const { type, bounds } = requireFields(configuration, attr, ['type', 'bounds']);
  if (type === undefined || type === null) throw required(`${attr}.type`);
  return { type: readChoice(type, `${attr}.type`, thresholdTypes), bounds: readBounds(bounds, `${attr}.bounds`) };
};

const readBounds = (value: unknown, attr: string): AlertBounds => {
  const sent = requireFields(value ?? {}, attr, ['lower', 'upper']);
  const [lower, upper] = (['lower', 'upper'] as const).map((name) => {
    const bound = sent[name] ?? null;
    if (bound !== null && !finite(bound)) throw invalidInput(`${attr}.${name} must be a number`, `${attr}.${name}`);
    return bound;
  }) as [number | null, number | null];
  if (lower === null && upper === null) throw invalidInput(`${attr} must have lower, upper or both`, attr);
  if (lower !== null && upper !== null && lower > upper)
    throw invalidInput(`${attr}.lower must not be above upper`, `${attr}.lower`);
  return { lower, upper };
};

/** Refuses a threshold that its condition cannot have. */
export const assertRule = ({ condition, threshold }: AlertRule): void => {
  if (condition.type === 'band') {
    if (threshold === null) return;
    throw invalidInput(
      'threshold must be null with the condition band: the past of the number makes its bounds',
      'threshold',
    );
  }
  if (threshold === null) throw required('threshold');
  if (condition.type === 'absolute_value' && threshold.type === 'percentage')
    throw invalidInput(
      'threshold.configuration.type must be absolute with the condition absolute_value',
      'threshold.configuration.type',
    );
};

/** Returns the index of the series. */
export const readConfig = (value: unknown): number => {
  if (value === undefined || value === null) return 0;
  const sent = requireFields(value, 'config', ['type', 'series_index', 'check_ongoing_interval']);
  if (sent.type !== undefined) readChoice(sent.type, 'config.type', ['TrendsAlertConfig']);
  if (sent.check_ongoing_interval)
    throw invalidInput(
      'config.check_ongoing_interval must be false: an interval is decided once, after it has ended',
      'config.check_ongoing_interval',
    );
  return readInteger(sent.series_index ?? 0, 'config.series_index', { min: 0, max: maxSeriesIndex });
};

/** Takes the id of a saved question, or the object in which answers have it. */
export const readInsightId = (value: unknown): number => {
  const id = typeof value === 'object' && value !== null ? requireObject(value, 'insight').id : value;
  return readInteger(id, 'insight', { min: 1, max: 2 ** 31 - 1 });
};

/** Takes the ids of users, or the objects in which answers have them. */
export const readSubscribers = (value: unknown): number[] => {
  const ids = requireList(value, 'subscribed_users', maxSubscribers, '[1, 2]').map((user, at) => {
    const attr = `subscribed_users.${at}`;
    return readInteger(isFields(user) ? user.id : user, attr, { min: 1, max: 2 ** 31 - 1 });
  });
  return [...new Set(ids)].sort((a, b) => a - b);
};

const ahead = /^(\d{1,4})([hdw])$/;
const unitOf = { h: 'hours', d: 'days', w: 'weeks' } as const;

/** Takes a moment, or a time from now on, such as `2h`, `1d` or `1w`. */
export const readSnooze = (text: string | null | undefined, now: Date, project: ProjectContext): Date | null => {
  if (text === undefined || text === null || text === '') return null;
  const [, count, unit] = ahead.exec(text) ?? [];
  if (count !== undefined)
    return inZone(now, project)
      .plus({ [unitOf[unit as keyof typeof unitOf]]: Number(count) })
      .toJSDate();
  return requireDate(text, 'snoozed_until', now, project).at.toJSDate();
};
