import { useQuery } from '@tanstack/react-query';
import { getJson } from '../../../api/client';
import { type components } from '../../../api/schema';
import { type Page } from '../../../api/types';
import { personKey } from '../requests';
import { wasSplit } from './was-split';

type Entry = components['schemas']['ActivityEntryDto'];

/** Whether a split of the person may be undone: true also as long as nothing is known of it. */
export const useWasSplit = (projectId: string, personId: string, isAsked: boolean): boolean => {
  const { data } = useQuery({
    queryKey: [...personKey(projectId, personId), 'was-split'],
    queryFn: ({ signal }) =>
      getJson<Page<Entry>>(`/api/projects/${projectId}/persons/${personId}/activity?limit=200`, signal),
    enabled: isAsked,
    retry: false,
  });
  return data === undefined || wasSplit(data, new Date());
};
