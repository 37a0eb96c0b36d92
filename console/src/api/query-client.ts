import { QueryClient } from '@tanstack/react-query';
import { ProblemError } from './problem-error';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      // A request that the service refuses is refused again; only what may be over in a moment is repeated.
      retry: (failures, error) => failures < 3 && (!(error instanceof ProblemError) || error.isTemporary),
    },
  },
});
