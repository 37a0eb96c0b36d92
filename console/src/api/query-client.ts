import { matchQuery, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { keyOf, type Path } from './client';
import { ProblemError } from './problem-error';

const account = { queryKey: keyOf('/api/users/@me') };

/** How often what failed because the service was away is requested again, in milliseconds. */
const recoveryInterval = 4000;

/** True if the same request may succeed in a moment: the service was busy, or could not be reached. */
export const mayPass = (error: unknown): boolean =>
  error instanceof ProblemError ? error.isTemporary : error instanceof TypeError;

/** While the service is away, for a restart or longer, pages ask again by themselves. */
export const whileAway = (error: unknown): number | false => (mayPass(error) ? recoveryInterval : false);

/** The session may have ended elsewhere. The account is requested again, and the page that shows it leads to the sign-in. */
export const noticeSignOut = (error: unknown): void => {
  if (error instanceof ProblemError && error.isSignedOut) void queryClient.invalidateQueries(account);
};

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (!matchQuery(account, query)) noticeSignOut(error);
    },
  }),
  mutationCache: new MutationCache({ onError: noticeSignOut }),
  defaultOptions: {
    // What a browser says about its network is not what the service answers: a request is sent, and fails by itself.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 15_000,
      // A request that the service refuses is refused again; only what may be over in a moment is repeated.
      retry: (failures, error) => failures < 3 && mayPass(error),
      refetchInterval: ({ state }) => whileAway(state.error),
    },
  },
});

/** Reads again what the page shows of these paths and of all below them; the rest is read again when it is shown. */
export const refresh = async (...paths: readonly Path[]): Promise<void> => {
  await Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: keyOf(path) })));
};
