import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendJson } from '../../../api/client';
import { notifyDone, notifyProblem } from '../../../ui/notify';

interface Change {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly address: string;
  readonly body?: unknown;
}

interface ChangeOptions<T> {
  /** The first parts of the keys of the queries whose answers the change makes old. */
  readonly refreshes: readonly string[];
  /** Shown when the change is made. */
  readonly message: string;
  readonly onDone?: (answer: T) => void;
  /** Without a form to show the error in, a message shows it. */
  readonly hasForm?: boolean;
}

/** Sends a change, confirms it and reads again what it has changed. */
export const useChange = <T = unknown>({ refreshes, message, onDone, hasForm = false }: ChangeOptions<T>) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ method, address, body }: Change) => sendJson<T>(method, address, body),
    onSuccess: async (answer) => {
      notifyDone(message);
      onDone?.(answer);
      await Promise.all(refreshes.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
    },
    onError: (error) => {
      if (!hasForm) notifyProblem(error);
    },
  });
};
