import { useQuery } from '@tanstack/react-query';
import { answer } from '../../../api/client';
import { pathOf, type PersonProps } from '../person';
import { wasSplit } from './was-split';

/** True if a split of the person may be undone, and also as long as nothing is known of it. */
export const useWasSplit = ({ projectId, person }: PersonProps, isAsked: boolean): boolean => {
  const { data } = useQuery({
    ...answer('/api/projects/{project_id}/persons/{id}/activity', {
      path: pathOf(projectId, person),
      query: { limit: 200 },
    }),
    enabled: isAsked,
    retry: false,
  });
  return data === undefined || wasSplit(data, new Date());
};
