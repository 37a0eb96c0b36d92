import { useMemo } from 'react';
import { useProject } from '../address/project-context';
import { type EndlessColumn } from '../ui/endless-table';
import { useAccountTypes } from './account-types';
import { capital, nounOfIndex } from './account-words';
import { usePropertyNames } from './properties';
import { formatTime } from '../ui/format';
import { valueText } from '../ui/value';

/** An account in a list, also behind a number of an insight. */
interface Row {
  readonly name: string;
  readonly group_key?: string;
  readonly group_properties?: object;
  readonly created_at: string;
}

/** So many properties are shown before the user chooses. */
const firstProperties = 3;

const textIn = ({ group_properties: properties = {} }: Row, name: string): string =>
  valueText((properties as Record<string, unknown>)[name]);

/** The columns of a list of accounts: those that every account has, and one for each property of the type; none without a type. */
export const useAccountColumns = (type: number | null): readonly EndlessColumn<Row>[] => {
  const { timezone } = useProject();
  const label = capital(nounOfIndex(useAccountTypes(), type ?? 0)[0]);
  const names = usePropertyNames(type === null ? null : { type: 'group', group_type_index: type });
  return useMemo(() => {
    if (type === null) return [];
    const own = names.filter((name) => name !== 'name').slice(0, firstProperties);
    return [
      {
        id: 'name',
        label,
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
      ...names.map((name): EndlessColumn<Row> => ({
        id: `properties.${name}`,
        label: name,
        width: 125,
        isDefault: own.includes(name),
        render: (account) => textIn(account, name),
        titleOf: (account) => textIn(account, name) || undefined,
      })),
    ];
  }, [label, names, timezone, type]);
};
