import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { insightKinds } from '../../insights/kinds';
import { items } from '../navigation';
import { type Hit } from './hit';

/** The sections of the settings come with their page. */
const settingsQuery = {
  queryKey: ['sections of the settings'],
  queryFn: async () =>
    (await import('../../pages/settings/sections')).sections.map(({ path, label, description }) => ({
      path,
      label,
      description,
    })),
  staleTime: Infinity,
};

const actions: readonly (readonly [name: string, to: string, hint?: string])[] = [
  ['New cohort', 'cohorts/new', 'Build a group of persons'],
  ['Compare cohorts', 'cohorts/compare'],
  ['New dashboard', 'saved'],
  ['New key', 'settings/keys'],
  ['Invite a user', 'settings/members'],
  ['Write SQL', 'sql'],
];

/** What can be opened without asking the service: pages, kinds of insights, settings and what can be made. */
export const usePages = (): readonly Hit[] => {
  const { data: sections = [] } = useQuery(settingsQuery);
  return useMemo(
    () => [
      ...items.map(({ label, path }) => ({ group: 'Pages', name: label, to: path })),
      ...insightKinds.map(({ label, name }) => ({
        group: 'Insights',
        name: label,
        hint: 'New insight',
        to: `insights/${name}`,
      })),
      ...actions.map(([name, to, hint]) => ({ group: 'Actions', name, to, hint })),
      ...sections.map(({ path, label, description }) => ({
        group: 'Settings',
        name: label,
        hint: description,
        to: `settings/${path}`,
      })),
    ],
    [sections],
  );
};
