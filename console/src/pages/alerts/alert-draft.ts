import { type Alert, type Schemas } from '../../api/types';
import { formatNumber } from '../../ui/format';

export type ConditionType = 'absolute_value' | 'relative_increase' | 'relative_decrease' | 'band';

/** A number while it is typed: empty is none. */
export type Typed = number | '';

/** An alert while it is written. */
export interface AlertDraft {
  readonly name: string;
  readonly insight: number | null;
  readonly series: number;
  readonly condition: ConditionType;
  /** True if a change is compared as a percentage of the number before. */
  readonly isShare: boolean;
  readonly lower: Typed;
  readonly upper: Typed;
  readonly deviations: Typed;
  readonly periods: Typed;
  readonly interval: Alert['calculation_interval'];
  readonly skipsWeekend: boolean;
  /** The ids of the users who get e-mails, in order, as answers have them. */
  readonly subscribers: readonly number[];
}

type Threshold = { readonly configuration: { readonly type: string; readonly bounds: Bounds } };
type Bounds = { readonly lower?: number | null; readonly upper?: number | null };
type Condition = { readonly type: ConditionType; readonly deviations?: number; readonly periods?: number };

export const newDraft = (insight: number | null): AlertDraft => ({
  name: '',
  insight,
  series: 0,
  condition: 'absolute_value',
  isShare: false,
  lower: '',
  upper: '',
  deviations: 3,
  periods: 8,
  interval: 'daily',
  skipsWeekend: false,
  subscribers: [],
});

/** 0.35 becomes 35, without the digits that a multiplication adds. */
const rounded = (value: number): number => Number(value.toPrecision(12));

export const draftOf = (alert: Alert): AlertDraft => {
  const condition = alert.condition as Condition;
  const { type = 'absolute', bounds = {} } = (alert.threshold as Threshold | null)?.configuration ?? {};
  const isShare = type === 'percentage';
  const typed = (bound: number | null | undefined): Typed =>
    bound === null || bound === undefined ? '' : isShare ? rounded(bound * 100) : bound;
  return {
    name: alert.name,
    insight: alert.insight.id,
    series: (alert.config as { series_index?: number }).series_index ?? 0,
    condition: condition.type,
    isShare,
    lower: typed(bounds.lower),
    upper: typed(bounds.upper),
    deviations: condition.deviations ?? 3,
    periods: condition.periods ?? 8,
    interval: alert.calculation_interval,
    skipsWeekend: alert.skip_weekend,
    subscribers: alert.subscribed_users.map(({ id }) => id),
  };
};

export type AlertRule = Omit<Schemas['BacktestBody'], 'insight'> & { readonly insight: number };

/** What the alert watches, as the service takes it; null while something is missing. */
export const ruleOf = (draft: AlertDraft): AlertRule | null => {
  const { insight, series, condition, isShare, lower, upper, deviations, periods, interval, skipsWeekend } = draft;
  if (insight === null) return null;
  const isBand = condition === 'band';
  if (isBand ? deviations === '' || periods === '' : lower === '' && upper === '') return null;
  const isPercentage = isShare && condition !== 'absolute_value';
  const bound = (typed: Typed): number | null => (typed === '' ? null : isPercentage ? rounded(typed / 100) : typed);
  return {
    insight,
    condition:
      isBand && deviations !== '' && periods !== '' ? { type: condition, deviations, periods } : { type: condition },
    threshold: isBand
      ? null
      : {
          configuration: {
            type: isPercentage ? 'percentage' : 'absolute',
            bounds: { lower: bound(lower), upper: bound(upper) },
          },
        },
    config: { type: 'TrendsAlertConfig', series_index: series },
    calculation_interval: interval,
    skip_weekend: skipsWeekend,
  };
};

const subjects: Readonly<Record<ConditionType, string>> = {
  absolute_value: 'The number is',
  relative_increase: 'The increase is',
  relative_decrease: 'The decrease is',
  band: '',
};

/** The condition in words. */
export const conditionText = (draft: AlertDraft): string => {
  const { condition, isShare, lower, upper, deviations, periods } = draft;
  if (condition === 'band')
    return `The number is outside its band: ${formatNumber(Number(deviations))} deviations, of ${formatNumber(Number(periods))} periods`;
  const unit = isShare && condition !== 'absolute_value' ? '%' : '';
  const parts = [
    lower === '' ? null : `below ${formatNumber(lower)}${unit}`,
    upper === '' ? null : `above ${formatNumber(upper)}${unit}`,
  ].filter((part) => part !== null);
  return `${subjects[condition]} ${parts.join(' or ')}`;
};
