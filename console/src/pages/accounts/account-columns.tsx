import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answer } from '../../api/client';
import { type Account } from '../../api/types';
import { useProject } from '../../address/project-context';
import { type EndlessColumn } from '../../ui/endless-table';
import { formatTime } from '../../ui/format';
import { valueText } from '../../ui/value';

/** So many properties are shown before the user chooses. */
const firstProperties = 3;

const textIn = ({ group_properties: properties }: Account, name: string): string =>
  valueText((properties as Record<string, unknown>)[name]);

/** The columns of a list of accounts: those that every account has, and one for each property of the type. */
export const useAccountColumns = (type: number): readonly EndlessColumn<Account>[] => {
  const { id, timezone } = useProject();
  const { data } = useQuery(
    answer('/api/projects/{project_id}/groups/property_definitions', { path: { project_id: String(id) } }),
  );
  return useMemo(() => {
    const names = (data?.[String(type)] ?? []).map(({ name }) => name);
    const own = names.filter((name) => name !== 'name').slice(0, firstProperties);
    return [
      {
        id: 'name',
        label: 'Account',
        isFixed: true,
        width: 240,
        phoneWidth: 140,
        render: ({ name }) => name,
        titleOf: ({ name }) => name,
      },
      {
        id: 'group_key',
        label: 'Key',
        isDefault: true,
        width: 180,
        render: ({ group_key: key }) => key,
        titleOf: ({ group_key: key }) => key,
      },
      {
        id: 'created_at',
        label: 'First seen',
        isDefault: true,
        isForPhone: true,
        width: 165,
        phoneWidth: 150,
        isNumber: true,
        render: ({ created_at: createdAt }) => formatTime(createdAt, timezone),
        titleOf: ({ created_at: createdAt }) => createdAt,
      },
      ...names.map((name): EndlessColumn<Account> => ({
        id: `properties.${name}`,
        label: name,
        width: 125,
        isDefault: own.includes(name),
        render: (account) => textIn(account, name),
        titleOf: (account) => textIn(account, name) || undefined,
      })),
    ];
  }, [data, timezone, type]);
};
