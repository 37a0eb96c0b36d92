import { useMemo } from 'react';
import { type Person } from '../api/types';
import { useProject } from '../address/project-context';
import { usePropertyNames } from './properties';
import { type EndlessColumn } from '../ui/endless-table';
import { firstProperties, firstSeenColumn, nameColumn, propertyColumn } from './record-columns';
import { formatNumber } from '../ui/format';
import { valueText } from '../ui/value';

const ofPerson = { type: 'person' } as const;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A person without a name has a UUID for one: its ends tell one from another. */
const readableName = (name: string, isIdentified: boolean): string =>
  uuid.test(name) ? `${isIdentified ? '' : 'Anonymous '}${name.slice(0, 4)}…${name.slice(-4)}` : name;

/** The columns of a list of persons: those that every person has, and one for each property. */
export const usePersonColumns = (): readonly EndlessColumn<Person>[] => {
  const { timezone } = useProject();
  const names = usePropertyNames(ofPerson);
  return useMemo(() => {
    // Names that a browser or a campaign set by itself start with `$` or `utm_`; those that the product set say more about a
    // person.
    const own = names.filter((name) => !/^(\$|utm_)|^(name|email)$/.test(name)).slice(0, firstProperties);
    return [
      { ...nameColumn('Person'), render: ({ name, is_identified }) => readableName(name, is_identified) },
      firstSeenColumn(timezone),
      {
        id: 'is_identified',
        label: 'Identified',
        isDefault: true,
        width: 90,
        render: ({ is_identified }) => (is_identified ? 'yes' : 'no'),
      },
      {
        id: 'distinct_id_count',
        label: 'Distinct ids',
        isDefault: true,
        width: 100,
        isNumber: true,
        render: ({ distinct_id_count }) => formatNumber(distinct_id_count),
        titleOf: ({ distinct_ids }) => distinct_ids.join('\n'),
      },
      { id: 'id', label: 'Id', width: 90, isNumber: true, render: ({ id }) => String(id) },
      { id: 'uuid', label: 'UUID', width: 310, render: ({ uuid }) => uuid },
      ...names.map((name) =>
        propertyColumn<Person>(name, own.includes(name), ({ properties }) => valueText(properties[name])),
      ),
    ];
  }, [names, timezone]);
};
