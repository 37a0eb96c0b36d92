import { answer, api } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { type Flag, type Schemas } from '../../api/types';
import { notifyDone } from '../../ui/notify';
import { useChange } from '../../ui/use-change';

/** The props of every part of a flag's page. */
export interface FlagProps {
  readonly projectId: string;
  readonly flag: Flag;
}

export const pathOf = (projectId: string, { id }: Pick<Flag, 'id'>) => ({ project_id: projectId, id });

export const flagQuery = (projectId: string, id: number) =>
  answer('/api/projects/{project_id}/feature_flags/{id}', { path: { project_id: projectId, id } });

const flags = '/api/projects/{project_id}/feature_flags';

/** A change of a flag, whose answer is the flag as it is then. */
export const useFlagChange = (
  projectId: string,
  { message, hasForm = false }: { readonly message?: (flag: Flag) => string; readonly hasForm?: boolean } = {},
) =>
  useChange(
    ({ id, ...body }: Schemas['UpdateFlagBody'] & { readonly id: number }) =>
      api.PATCH(`${flags}/{id}`, { params: { path: { project_id: projectId, id } }, body }),
    {
      refreshes: [flags, '/api/projects/{project_id}/activity', '/flags'],
      hasForm,
      onDone: (flag) => {
        queryClient.setQueryData(flagQuery(projectId, flag.id).queryKey, flag);
        if (message) notifyDone(message(flag));
      },
    },
  );
