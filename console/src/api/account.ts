import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client';

/** The signed-in user. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/users/@me', { signal })),
  staleTime: 60_000,
});

/** The projects that the user may open. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/projects', { params: { query: { limit: 100 } }, signal })),
  staleTime: 60_000,
});

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/projects/{project_id}', { params: { path: { project_id: projectId } }, signal })),
    staleTime: 60_000,
  });

/** What the service says to everybody: its version, and the provider of single sign-on. */
export const consoleQuery = queryOptions({
  queryKey: ['console-info'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/console', { signal })),
  staleTime: Infinity,
});
