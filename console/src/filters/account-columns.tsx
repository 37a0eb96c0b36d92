import { useMemo } from 'react';
import { useProject } from '../address/project-context';
import { type EndlessColumn } from '../ui/endless-table';
import { useAccountTypes } from './account-types';
import { capital, nounOfIndex } from './account-words';
import { usePropertyNames } from './properties';
import { firstProperties, firstSeenColumn, nameColumn, propertyColumn } from './record-columns';
import { valueText } from '../ui/value';

/** An account in a list, also behind a number of an insight. */
interface Row {
  readonly name: string;
  readonly group_key?: string;
  readonly group_properties?: object;
  readonly created_at: string;
}

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
      nameColumn(label),
      {
        id: 'group_key',
        label: 'Key',
        isDefault: true,
        width: 180,
        render: ({ group_key: key }) => key,
        titleOf: ({ group_key: key }) => key,
      },
      firstSeenColumn(timezone),
      ...names.map((name) => propertyColumn<Row>(name, own.includes(name), (account) => textIn(account, name))),
    ];
  }, [label, names, timezone, type]);
};
