import { type CohortFilter, type EventMatch, type Filter, type PropertyFilter } from '../../filters/reading/filter.js';
import { type NamedGroupType } from '../../filters/checks/filter-checks.js';
import { type CalendarSpan } from './span.js';

/** A window of time, from its first to its last moment. Without an end it lasts until the moment of calculation. */
export type Window =
  | { readonly kind: 'last'; readonly span: CalendarSpan }
  | { readonly kind: 'fixed'; readonly from: string; readonly to: string | null };

/** Events of one name that pass a filter, or the events of an action. */
export interface Occurrence {
  /** The name of the event, or the id of the action. */
  readonly key: string;
  /** An event counts if it matches any of these. */
  readonly matches: readonly EventMatch[];
  /** Null for an event. For an action, `at` is the path of its id in the definition. */
  readonly action: { readonly id: number; readonly at: string } | null;
}

export const countOperators = ['eq', 'exact', 'gt', 'gte', 'lt', 'lte'] as const;

/** `performed_event_multiple` counts events, or the persons who did them. */
export const countables = ['events', 'persons'] as const;

export type Countable = (typeof countables)[number];

export interface CountComparison {
  readonly operator: (typeof countOperators)[number];
  readonly value: number;
}

/**
 * Something that a person did or did not do, according to its events. With `groupType`, the index of a type of groups: something
 * that a group did, by any of its events. In a cohort of persons it is a group to which the person belongs, because one of its
 * events names the group.
 */
export type Behaviour = {
  readonly kind: 'behaviour';
  readonly negated: boolean;
  readonly at: string;
  readonly groupType: number | null;
} & Did;

export type Did =
  | { readonly did: 'performed_event'; readonly of: Occurrence; readonly window: Window }
  | {
      readonly did: 'performed_event_multiple';
      readonly countOf: Countable;
      readonly of: Occurrence;
      readonly window: Window;
      readonly times: CountComparison;
    }
  | { readonly did: 'performed_event_first_time'; readonly of: Occurrence; readonly window: Window }
  | {
      readonly did: 'performed_event_sequence';
      readonly of: Occurrence;
      readonly then: Occurrence;
      readonly within: CalendarSpan;
      readonly window: Window;
    }
  | {
      readonly did: 'performed_event_regularly';
      readonly countOf: Countable;
      readonly of: Occurrence;
      readonly period: CalendarSpan;
      readonly times: CountComparison;
      readonly minPeriods: number;
      readonly totalPeriods: number;
    }
  | {
      readonly did: 'stopped_performing_event';
      readonly of: Occurrence;
      readonly window: Window;
      readonly recent: CalendarSpan;
    }
  | {
      readonly did: 'restarted_performing_event';
      readonly of: Occurrence;
      readonly window: Window;
      readonly recent: CalendarSpan;
    };

export type Criterion = PropertyFilter | CohortFilter | Behaviour;

export interface CriteriaGroup {
  readonly kind: 'group';
  readonly combine: 'AND' | 'OR';
  readonly parts: readonly DefinitionNode[];
}

export type DefinitionNode = Criterion | CriteriaGroup;

/** A parsed and checked definition. Null for a definition without criteria, which has no members. */
export type Definition = CriteriaGroup | null;

export const criteriaOf = (node: DefinitionNode | null): readonly Criterion[] => {
  if (node === null) return [];
  return node.kind === 'group' ? node.parts.flatMap(criteriaOf) : [node];
};

export const behavioursOf = (definition: Definition): readonly Behaviour[] =>
  criteriaOf(definition).filter((criterion) => criterion.kind === 'behaviour');

export const occurrencesOf = (behaviour: Behaviour): readonly Occurrence[] =>
  behaviour.did === 'performed_event_sequence' ? [behaviour.of, behaviour.then] : [behaviour.of];

/** Returns the events that a definition names, with their filters. */
export const matchesIn = (definition: Definition): readonly EventMatch[] =>
  behavioursOf(definition)
    .flatMap(occurrencesOf)
    .flatMap(({ matches }) => matches);

/** Returns the types of groups that criteria about events name. */
export const groupTypesIn = (definition: Definition): readonly NamedGroupType[] =>
  behavioursOf(definition).flatMap(({ groupType, at }) =>
    groupType === null ? [] : [{ index: groupType, at: `${at}.group_type_index` }],
  );

/** Returns every filter of a definition. */
export const filtersIn = (definition: Definition): readonly Filter[] =>
  criteriaOf(definition).flatMap((criterion) =>
    criterion.kind === 'behaviour'
      ? occurrencesOf(criterion).flatMap(({ matches }) => matches.map(({ filter }) => filter))
      : [criterion],
  );

/** Returns the actions that a definition names, each occurrence with its path. */
export const actionsIn = (definition: Definition): readonly { readonly id: number; readonly at: string }[] =>
  behavioursOf(definition)
    .flatMap(occurrencesOf)
    .flatMap(({ action }) => (action === null ? [] : [action]));

export const cohortsIn = (definition: Definition): readonly number[] => [
  ...new Set(criteriaOf(definition).flatMap((criterion) => (criterion.kind === 'cohort' ? [criterion.cohortId] : []))),
];
