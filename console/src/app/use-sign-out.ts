import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, bodyOf } from '../api/client';
import { ProblemError } from '../api/problem-error';
import { notifyProblem } from '../ui/notify';

/** A session that could not be ended still counts, so the page must not look signed out. */
export const useSignOut = () => {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () =>
      bodyOf(api.DELETE('/api/sessions/@current')).catch((error: unknown) => {
        if (!(error instanceof ProblemError && error.isSignedOut)) throw error;
      }),
    onSuccess: async () => {
      // The page leaves first, because it would request again what is cleared.
      await navigate({ to: '/sign-in' });
      queryClient.clear();
    },
    onError: notifyProblem,
  });
};
