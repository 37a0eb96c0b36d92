import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { getJson, sendJson } from '../../api/client';
import { type Page } from '../../api/types';
import { useProjectId } from '../../address/project-context';
import { notifyDone, notifyProblem } from '../../ui/notify';

export type SavedKind = 'insights' | 'dashboards';

export interface SavedFilter {
  readonly search: string;
  readonly favourite: boolean;
}

export const useSavedList = <T>(kind: SavedKind, { search, favourite }: SavedFilter) => {
  const projectId = useProjectId();
  const query = new URLSearchParams({ limit: '50' });
  if (search !== '') query.set('search', search);
  if (favourite) query.set('favourite', 'true');
  return useInfiniteQuery({
    queryKey: [kind, projectId, 'list', search, favourite],
    queryFn: ({ pageParam, signal }) => getJson<Page<T>>(pageParam, signal),
    initialPageParam: `/api/projects/${projectId}/${kind}?${query.toString()}`,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
};

/** Changes and deletes insights or dashboards; their lists follow. */
export const useSavedChanges = (kind: SavedKind) => {
  const projectId = useProjectId();
  const queryClient = useQueryClient();
  const path = (id: number): string => `/api/projects/${projectId}/${kind}/${id}`;
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [kind, projectId] });

  const mutationKey = [kind, projectId, 'change'];
  const update = useMutation({
    mutationKey,
    // One after another, in the order in which they were made.
    scope: { id: mutationKey.join(' ') },
    mutationFn: ({ id, ...fields }: { readonly id: number } & Readonly<Record<string, unknown>>) =>
      sendJson('PATCH', path(id), fields),
    onError: notifyProblem,
    // What is read between two changes would lack the second.
    onSettled: () => (queryClient.isMutating({ mutationKey }) === 1 ? refresh() : undefined),
  });
  const remove = useMutation({
    mutationFn: (id: number) => sendJson('DELETE', path(id)),
    onSuccess: async () => {
      notifyDone('Deleted.');
      await refresh();
    },
    onError: notifyProblem,
  });
  return { update, remove };
};
