import { useMutation } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { queryClient, refresh } from '../../api/query-client';
import { type Schemas } from '../../api/types';
import { useProjectId } from '../../address/project-context';
import { notifyProblem } from '../../ui/notify';
import { useChange } from '../../ui/use-change';

export type SavedKind = 'insights' | 'dashboards';

export interface SavedFilter {
  readonly search: string;
  readonly favourite: boolean;
}

/** The parameters of a list of insights or dashboards. */
export const listParams = (projectId: string, { search, favourite }: SavedFilter) => ({
  path: { project_id: projectId },
  query: { limit: 50, search: search || undefined, favourite: favourite || undefined },
});

/** Both have a name, a description and a star. */
type Fields = { readonly id: number } & Schemas['UpdateDashboardBody'];

/** Changes and deletes insights or dashboards; their lists follow. */
export const useSavedChanges = (kind: SavedKind) => {
  const projectId = useProjectId();
  const pathOf = (id: number) => ({ project_id: projectId, id });
  const list = `/api/projects/{project_id}/${kind}` as const;

  const mutationKey = [list, projectId];
  const update = useMutation({
    mutationKey,
    // One after another, in the order in which they were made.
    scope: { id: mutationKey.join(' ') },
    mutationFn: ({ id, ...body }: Fields) =>
      bodyOf<unknown>(api.PATCH(`/api/projects/{project_id}/${kind}/{id}`, { params: { path: pathOf(id) }, body })),
    onError: notifyProblem,
    // An answer read between two changes would lack the second.
    onSettled: () => (queryClient.isMutating({ mutationKey }) === 1 ? refresh(list) : undefined),
  });
  const remove = useChange(
    (id: number) => api.DELETE(`/api/projects/{project_id}/${kind}/{id}`, { params: { path: pathOf(id) } }),
    { refreshes: [list], message: 'Deleted.' },
  );
  return { update, remove };
};
