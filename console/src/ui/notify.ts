import { notifications } from '@mantine/notifications';
import { ProblemError } from '../api/problem-error';

const closeButtonProps = { 'aria-label': 'Close the message' };

export const notifyDone = (message: string): void => {
  notifications.show({ message, color: 'teal', closeButtonProps });
};

export const notifyProblem = (error: unknown): void => {
  const problem = error instanceof ProblemError ? error.problem : null;
  notifications.show({
    title: problem?.attr ?? 'That did not work',
    message: problem?.detail ?? (error instanceof Error ? error.message : 'Something went wrong.'),
    color: 'red',
    autoClose: 10_000,
    closeButtonProps,
  });
};
