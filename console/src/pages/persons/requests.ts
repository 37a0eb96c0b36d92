import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { ProblemError } from '../../api/problem-error';
import { notifyProblem } from '../../ui/notify';

const path = (projectId: string, id: string) => ({ path: { project_id: projectId, id } });

/** Everything that is read about one person begins with this key. */
export const personKey = (projectId: string, personId: string) => ['person', projectId, personId] as const;

export const personQuery = (projectId: string, personId: string) =>
  queryOptions({
    queryKey: [...personKey(projectId, personId), 'record'],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/projects/{project_id}/persons/{id}', { params: path(projectId, personId), signal })),
  });

/**
 * What a route answers that changes persons; every page that shows persons is then read anew. `hasForm`: the error is shown
 * where the change is made, and needs no message.
 */
export const usePersonChange = <Input, Output>(
  projectId: string,
  change: (input: Input) => Promise<Output>,
  onDone: (output: Output, input: Input) => void | Promise<void>,
  { hasForm = false }: { readonly hasForm?: boolean } = {},
) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onError: (error) => {
      if (!hasForm) notifyProblem(error);
    },
    onSuccess: async (output, input) => {
      // A page whose person is gone must be left before its requests are repeated.
      await onDone(output, input);
      for (const key of ['persons', 'person', 'cohorts', 'cohort'])
        void client.invalidateQueries({ queryKey: [key, projectId] });
      void client.invalidateQueries({ queryKey: ['persons-behind'] });
      void client.invalidateQueries({ queryKey: ['person-property-names', projectId] });
    },
  });
};

export const setProperty = (projectId: string, id: string, key: string, value: unknown) =>
  bodyOf(
    api.PATCH('/api/projects/{project_id}/persons/{id}', {
      params: path(projectId, id),
      body: { properties: Object.fromEntries([[key, value]]) },
    }),
  );

export const unsetProperty = (projectId: string, id: string, key: string) =>
  bodyOf(
    api.POST('/api/projects/{project_id}/persons/{id}/delete_property', {
      params: path(projectId, id),
      body: { $unset: key },
    }),
  );

export const mergePersons = (projectId: string, kept: string, merged: string) =>
  bodyOf(
    api.POST('/api/projects/{project_id}/persons/{id}/merge', {
      params: path(projectId, kept),
      body: { persons: [merged] },
    }),
  );

export const splitPerson = (projectId: string, id: string, distinctIds: string[]) =>
  bodyOf(
    api.POST('/api/projects/{project_id}/persons/{id}/split', {
      params: path(projectId, id),
      body: { distinct_ids_to_split: distinctIds },
    }),
  );

export const undoMerge = (projectId: string, id: string, mergeId: number) =>
  bodyOf(
    api.POST('/api/projects/{project_id}/persons/{id}/merges/{merge_id}/undo', {
      params: { path: { project_id: projectId, id, merge_id: mergeId } },
    }),
  );

export const undoSplit = (projectId: string, id: string) =>
  bodyOf(
    api.POST('/api/projects/{project_id}/persons/{id}/split/undo', {
      params: path(projectId, id),
    }),
  );

/** The id of the deletion request for the events, or null if the events stay. */
export const deletePerson = async (projectId: string, id: string, withEvents: boolean): Promise<string | null> => {
  const { error, response } = await api.DELETE('/api/projects/{project_id}/persons/{id}', {
    params: { ...path(projectId, id), query: { delete_events: withEvents } },
  });
  if (!response.ok) throw ProblemError.of(error, response.status);
  return response.headers.get('location')?.split('/').at(-1) ?? null;
};

export const deletePersons = (projectId: string, ids: string[], withEvents: boolean) =>
  bodyOf(
    api.POST('/api/projects/{project_id}/persons/bulk_delete', {
      params: { path: { project_id: projectId } },
      body: { ids, delete_events: withEvents },
    }),
  );

/** The request is read again until all events are gone. */
export const deletionQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['deletion-request', projectId, id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/projects/{project_id}/deletion_requests/{id}', { params: path(projectId, id), signal })),
    refetchInterval: ({ state }) => (state.data?.verified_at || state.error ? false : 5000),
  });
