import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answer } from '../api/client';
import { type AccountType } from '../api/types';
import { useProjectId } from '../address/project-context';
import { capital, keyProperty, nounOfIndex } from './account-words';

/** Whose property it is: that of a person, of an event, or of an account of a type. */
export interface PropertyOwner {
  readonly type: 'person' | 'event' | 'group';
  readonly group_type_index?: number | undefined;
}

/** The owner as one text, for the lines of a list. */
export const ownerValue = ({
  type,
  group_type_index: index,
}: {
  readonly type: string;
  readonly group_type_index?: number;
}) => (type === 'group' ? `${type}:${index}` : type);

export const ownerOfValue = (value: string | null): PropertyOwner => {
  if (value?.startsWith('group:')) return { type: 'group', group_type_index: Number(value.slice('group:'.length)) };
  return { type: value === 'person' ? value : 'event' };
};

/** A line for each type of accounts; that of the current value even if the project has no such type. */
export const accountLines = (types: readonly AccountType[], current: string) => {
  const known = types.map(({ group_type_index: index }) => index);
  const { type, group_type_index: index } = ownerOfValue(current);
  return [...known, ...(type === 'group' && index !== undefined && !known.includes(index) ? [index] : [])].map(
    (one) => ({
      value: ownerValue({ type: 'group', group_type_index: one }),
      label: capital(nounOfIndex(types, one)[0]),
    }),
  );
};

const longStale = { staleTime: 300_000 };

/** The names of the properties of an owner; none without one. */
export const usePropertyNames = (owner: PropertyOwner | null): readonly string[] => {
  const { type, group_type_index: index } = owner ?? {};
  const path = { project_id: useProjectId() };
  const persons = useQuery({
    ...answer('/api/projects/{project_id}/persons/properties', { path, query: { limit: 1000 } }),
    enabled: type === 'person',
    ...longStale,
  });
  const events = useQuery({
    ...answer('/api/projects/{project_id}/query/schema', { path }),
    enabled: type === 'event',
    ...longStale,
  });
  const accounts = useQuery({
    ...answer('/api/projects/{project_id}/groups/property_definitions', { path }),
    enabled: type === 'group',
    ...longStale,
  });
  const [ofPersons, ofEvents] = [persons.data?.results, events.data?.properties.event];
  const ofAccounts = accounts.data?.[String(index)];
  const found = type === 'person' ? ofPersons : type === 'event' ? ofEvents : ofAccounts;
  return useMemo(() => found?.map(({ name }) => name) ?? [], [found]);
};

/** The most frequent values of a property that contain the search; of the key of accounts, the keys. */
export const usePropertyValues = (
  { type, group_type_index: index = 0 }: PropertyOwner,
  key: string,
  search: string,
  isWanted: boolean,
): readonly string[] => {
  const path = { project_id: useProjectId() };
  const value = search || undefined;
  const options = (isOwn: boolean) => ({
    enabled: isWanted && key !== '' && isOwn,
    placeholderData: keepPreviousData,
    ...longStale,
  });
  const ofAccounts = type === 'group';
  const isKey = ofAccounts && key === keyProperty;
  const values = useQuery({
    ...answer('/api/projects/{project_id}/persons/values', {
      path,
      query: { key, type: ofAccounts ? 'event' : type, limit: 50, value },
    }),
    ...options(!ofAccounts),
  });
  const accountValues = useQuery({
    ...answer('/api/projects/{project_id}/groups/property_values', {
      path,
      query: { group_type_index: index, key, limit: 50, value },
    }),
    ...options(ofAccounts && !isKey),
  });
  const keys = useQuery({
    ...answer('/api/projects/{project_id}/groups', {
      path,
      query: { group_type_index: index, limit: 50, search: value },
    }),
    ...options(isKey),
  });
  if (isKey) return keys.data?.results.map(({ group_key: one }) => one) ?? [];
  return ((ofAccounts ? accountValues : values).data?.results ?? []).map(({ name }) => String(name));
};
