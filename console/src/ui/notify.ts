import { notifications } from '@mantine/notifications';

const closeButtonProps = { 'aria-label': 'Close the message' };

export const notifyDone = (message: string): void => {
  notifications.show({ message, color: 'teal', closeButtonProps });
};

export const notifyProblem = (error: unknown): void => {
  notifications.show({
    title: 'That did not work',
    message: error instanceof Error ? error.message : 'Something went wrong.',
    color: 'red',
    autoClose: 10_000,
    closeButtonProps,
  });
};
