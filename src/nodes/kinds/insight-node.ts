import { type InsightType } from '../../analytics/kinds/insight-kinds.js';
import { type Fields } from '../../platform/fields/values.js';
import { type NodeShape } from '../reading/node-fields.js';
import { type Translation } from '../reading/translation.js';

/** The part of an answer that differs between kinds of nodes. */
export interface PresentedInsight {
  readonly results: unknown;
  readonly hasMore?: boolean;
  readonly mean?: readonly number[] | null;
}

/** A node that asks one of our insights. */
export interface InsightNode {
  readonly insight: InsightType;
  readonly fields: NodeShape;
  /** The parameters of a node that has none of its own, where their fallback is not that of our question. */
  readonly defaults: Fields;
  /** The fallbacks of our question, where those of the node differ. */
  readonly ownDefaults?: Fields;
  /** Brings the answer of our question into the form of the reference product. It adds no number. */
  readonly present: (insight: object, translation: Translation) => PresentedInsight;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The label of a point: `1-Mar-2024`, or `1-Mar 14:00` by the hour and minute. */
const pointText = (day: string): string => {
  const [, year = '', month = '', date = '', time] = /^(\d+)-(\d\d)-(\d\d)(?:[ T](\d\d:\d\d))?/.exec(day) ?? [];
  const short = `${Number(date)}-${months[Number(month) - 1] ?? ''}`;
  return time === undefined ? `${short}-${year}` : `${short} ${time}`;
};

export const pointTexts = (days: readonly string[]): string[] => days.map(pointText);

/** The values of a breakdown that are no values have fixed names in the reference product. */
export const missingValue = '$$_posthog_breakdown_null_$$';
export const restValue = '$$_posthog_breakdown_other_$$';

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text);

/** True if the values of the breakdown are cohorts. */
const isOfCohorts = ({ params }: Translation): boolean => {
  const { breakdown_type: type, breakdowns } = params;
  const [only, ...others] = Array.isArray(breakdowns) ? (breakdowns as readonly Fields[]) : [];
  return type === 'cohort' || (only?.type === 'cohort' && others.length === 0);
};

export const shownBreakdownValue = (value: string | readonly string[] | null, translation: Translation): unknown => {
  if (value === null) return null;
  if (typeof value !== 'string') return value.map((one) => (one === '' ? missingValue : one));
  if (isOfCohorts(translation)) return isNumber(value) ? Number(value) : value;
  if (value === '') return missingValue;
  return value === 'Other' ? restValue : value;
};

/** The value of a breakdown as our questions take it. */
export const ownBreakdownValue = (value: unknown): readonly unknown[] => {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => (one === missingValue ? '' : one === restValue ? 'Other' : one));
};
