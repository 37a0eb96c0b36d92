import { invalidInput } from '../../platform/errors/problem.js';
import { type EventMatch, type Filter, allOf, leavesOf } from '../reading/filter.js';
import { insightFilters } from '../reading/filter-fields.js';
import { hrefFilter, textFilter, urlFilter, type UrlMatching } from './page-and-element.js';

/** The conditions of one step. Null: the step has no such condition. */
export interface ActionStep {
  readonly event: string | null;
  readonly properties: object;
  readonly url: string | null;
  readonly url_matching: UrlMatching;
  readonly href: string | null;
  readonly text: string | null;
}

export const maxSteps = 20;
/** The limit for all steps of an action together. `text` counts as three filters, and `href` as two. */
export const maxStepFilters = 100;
/** The most characters of an action's steps as JSON, because questions read the steps of up to fifty actions. */
export const maxStepsLength = 20_000;

/** A step as the client sent it; an empty text means the same as a missing one. */
type SentStep = { readonly [Key in Exclude<keyof ActionStep, 'properties'>]?: ActionStep[Key] | null } & {
  readonly properties?: unknown;
};

export const stepsOf = (sent: readonly SentStep[]): ActionStep[] => sent.map(stepOf);

const stepOf = ({ event, properties, url, url_matching: matching, href, text }: SentStep, at: number): ActionStep => ({
  event: event || null,
  properties: filtersOf(properties, `steps.${at}.properties`),
  url: url || null,
  url_matching: matching ?? 'contains',
  href: href || null,
  text: text || null,
});

const filtersOf = (sent: unknown, attr: string): object => {
  if (sent === undefined || sent === null) return [];
  if (typeof sent !== 'object') throw invalidInput(`${attr} must be a list of filters, or a group of them`, attr);
  return sent;
};

/** An event matches an action if it matches one of the alternatives, one for each step. */
export const matchesOf = (
  steps: readonly ActionStep[],
  attr: string,
  { stored }: { readonly stored: boolean },
): EventMatch[] => steps.map((step, at) => ({ event: step.event, filter: filterOf(step, `${attr}.${at}`, stored) }));

const filterOf = ({ properties, url, url_matching: matching, href, text }: ActionStep, at: string, stored: boolean) =>
  allOf(
    insightFilters.read(properties, `${at}.properties`, stored),
    ...(url === null ? [] : [urlFilter(url, matching, `${at}.url`)]),
    ...(href === null ? [] : [hrefFilter(href, `${at}.href`)]),
    ...(text === null ? [] : [textFilter(text, `${at}.text`)]),
  );

/** Returns the alternatives of new steps. The caller must check what only the databases know, such as cohorts. */
export const checkedSteps = (steps: readonly ActionStep[]): EventMatch[] => {
  if (JSON.stringify(steps).length > maxStepsLength) {
    throw invalidInput(`steps must have at most ${maxStepsLength} characters as JSON text`, 'steps');
  }
  const matches = matchesOf(steps, 'steps', { stored: false });
  const filters = matches.flatMap(({ filter }) => leavesOf(filter)).length;
  if (filters > maxStepFilters) {
    throw invalidInput(
      `steps must have at most ${maxStepFilters} filters in all; url counts as one, href as two and text as three`,
      'steps',
    );
  }
  return matches;
};

export const filterOfMatches = (matches: readonly EventMatch[]): Filter =>
  allOf(...matches.map(({ filter }) => filter));
