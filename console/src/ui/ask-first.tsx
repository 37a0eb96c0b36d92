import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode } from 'react';
import { ProblemAlert } from './problem-alert';

interface AskFirstProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly confirm: string;
  readonly isPending: boolean;
  /** True if everything that the change needs was entered. */
  readonly isReady?: boolean;
  /** Why the change was refused. */
  readonly error?: Error | null;
  readonly onConfirm: () => void;
  readonly children: ReactNode;
}

/** A change that matters says what it does before it is made. */
export function AskFirst({
  title,
  isOpen,
  onClose,
  confirm,
  isPending,
  isReady = true,
  error,
  onConfirm,
  children,
}: AskFirstProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Stack>
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
        {error && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red.9" loading={isPending} disabled={!isReady} onClick={() => onConfirm()}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
