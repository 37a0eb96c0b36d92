import { useMutation } from '@tanstack/react-query';
import { bodyOf, type Answered, type Path } from '../api/client';
import { refresh } from '../api/query-client';
import { notifyDone, notifyProblem } from './notify';

interface ChangeOptions<Input, Answer> {
  /** The change makes old what these paths have answered, and all below them. */
  readonly refreshes: readonly Path[];
  /** Shown when the change is made. */
  readonly message?: string;
  /** Called before anything is read again: by then a page whose record is gone has been left. */
  readonly onDone?: (answer: Answer, input: Input) => unknown;
  /** Without a form to show the error in, a message shows it. */
  readonly hasForm?: boolean;
}

/** Sends a change, confirms it and reads again what it has changed. */
export const useChange = <Answer, Input = void>(
  send: (input: Input) => Promise<Answered<Answer>>,
  { refreshes, message, onDone, hasForm = false }: ChangeOptions<Input, Answer>,
) =>
  useMutation({
    mutationFn: (input: Input) => bodyOf(send(input)),
    onSuccess: async (answer, input) => {
      if (message !== undefined) notifyDone(message);
      await onDone?.(answer, input);
      await refresh(...refreshes);
    },
    onError: (error) => {
      if (!hasForm) notifyProblem(error);
    },
  });
