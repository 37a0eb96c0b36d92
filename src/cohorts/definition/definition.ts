import { type CohortFilter, type Filter, type PropertyFilter } from '../../filters/filter.js';
import { type CalendarSpan } from './span.js';

/** The first and the last moment of a window; an open end stands for the moment of calculation. */
export type Window =
  | { readonly kind: 'last'; readonly span: CalendarSpan }
  | { readonly kind: 'fixed'; readonly from: string; readonly to: string | null };

/** Events of one name that pass a filter. */
export interface Occurrence {
  readonly event: string;
  readonly filter: Filter;
}

export const countOperators = ['eq', 'exact', 'gt', 'gte', 'lt', 'lte'] as const;

export interface CountComparison {
  readonly operator: (typeof countOperators)[number];
  readonly value: number;
}

/** What a person did or did not do, according to its events. */
export type Behaviour = { readonly kind: 'behaviour'; readonly negated: boolean; readonly at: string } & Did;

export type Did =
  | { readonly did: 'performed_event'; readonly of: Occurrence; readonly window: Window }
  | {
      readonly did: 'performed_event_multiple';
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

/** A definition that was parsed and checked. Null stands for a definition without criteria, and so without members. */
export type Definition = CriteriaGroup | null;

export const criteriaOf = (node: DefinitionNode | null): readonly Criterion[] => {
  if (node === null) return [];
  return node.kind === 'group' ? node.parts.flatMap(criteriaOf) : [node];
};

export const behavioursOf = (definition: Definition): readonly Behaviour[] =>
  criteriaOf(definition).filter((criterion) => criterion.kind === 'behaviour');

/** Returns every filter of a definition, to be checked against the stores. */
export const filtersIn = (definition: Definition): readonly Filter[] =>
  criteriaOf(definition).flatMap((criterion) => {
    if (criterion.kind !== 'behaviour') return [criterion];
    return criterion.did === 'performed_event_sequence'
      ? [criterion.of.filter, criterion.then.filter]
      : [criterion.of.filter];
  });

export const cohortsIn = (definition: Definition): readonly number[] => [
  ...new Set(criteriaOf(definition).flatMap((criterion) => (criterion.kind === 'cohort' ? [criterion.cohortId] : []))),
];
