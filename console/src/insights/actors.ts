import { createContext, use, useMemo } from 'react';
import { type AccountType } from '../api/types';
import { useAccountTypes } from '../filters/account-types';
import { nounOfIndex } from '../filters/account-words';
import { type Noun } from '../ui/format';

/** Whom a question counts, or who can be a member of a cohort. */
export interface Actors {
  /** The index of the type of the accounts; null: persons. */
  readonly groupType: number | null;
  readonly noun: Noun;
  /** All types of accounts of the project. */
  readonly types: readonly AccountType[];
}

export const groupTypeOf = ({ aggregation_group_type_index: index }: Readonly<Record<string, unknown>>) =>
  typeof index === 'number' ? index : null;

export const actorsOf = (types: readonly AccountType[], groupType: number | null): Actors => ({
  groupType,
  noun: groupType === null ? ['person', 'persons'] : nounOfIndex(types, groupType),
  types,
});

/** The words for those behind a point, who are not always those whom the question counts. */
export const nounBehind = ({ noun, types }: Actors, groupType: number | undefined): Noun =>
  groupType === undefined ? noun : nounOfIndex(types, groupType);

/** Whom the question counts, or who the members of the cohort are, that this part of the page is about. */
export const ActorsContext = createContext<Actors>(actorsOf([], null));

export const useActors = (): Actors => use(ActorsContext);

/** The accounts of a type; with null, persons. */
export const useActorsOfType = (groupType: number | null): Actors => {
  const types = useAccountTypes();
  return useMemo(() => actorsOf(types, groupType), [types, groupType]);
};

/** Whom a question counts, by the fields of its address or its parameters. */
export const useActorsOf = (question: Readonly<Record<string, unknown>>): Actors =>
  useActorsOfType(groupTypeOf(question));
