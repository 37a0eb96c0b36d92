import { type Cohort } from '../../api/types';

export type Kind = 'dynamic' | 'static' | 'query';

export const kindOf = ({ is_static, query }: Cohort): Kind =>
  query !== null ? 'query' : is_static ? 'static' : 'dynamic';

export const kindLabels: Readonly<Record<Kind, string>> = { dynamic: 'Dynamic', static: 'Static', query: 'Query' };

export const kindMeanings: Readonly<Record<Kind, string>> = {
  dynamic: 'The members are calculated from a definition, again and again.',
  static: 'The members are a list that changes only by hand.',
  query: 'The members are the answer of a query in SQL; it runs again only when the cohort is recalculated.',
};
