import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode } from 'react';

interface AskFirstProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly confirm: string;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  readonly children: ReactNode;
}

/** A change that cannot be undone says what it does before it is made. */
export function AskFirst({ title, isOpen, onClose, confirm, isPending, onConfirm, children }: AskFirstProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Stack>
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={isPending} onClick={onConfirm}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
