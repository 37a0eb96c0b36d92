import { Alert, Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../api/client';
import { formatNumber } from '../../../ui/format';
import { DeletionReceipt } from './deletion-receipt';
import { usePersonChange } from '../person';

interface BulkDeleteProps {
  readonly projectId: string;
  readonly ids: string[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const persons = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'person' : 'persons'}`;

/** Deletes the chosen persons after a confirmation, and then says what became of each. */
export function BulkDelete({ projectId, ids, isOpen, onClose, onDone }: BulkDeleteProps) {
  const [withEvents, setWithEvents] = useState(false);
  const { mutate, data, isPending, reset } = usePersonChange(
    () =>
      api.POST('/api/projects/{project_id}/persons/bulk_delete', {
        params: { path: { project_id: projectId } },
        body: { ids, delete_events: withEvents },
      }),
    onDone,
  );
  const close = (): void => {
    reset();
    setWithEvents(false);
    onClose();
  };
  const requests = data?.results.flatMap(({ deletion_request_id: id }) => id ?? []) ?? [];
  const others = data?.results.filter(({ result }) => result !== 'deleted') ?? [];
  return (
    <Modal opened={isOpen} onClose={close} title={data ? 'Persons deleted' : `Delete ${persons(ids.length)}?`}>
      {data ? (
        <Stack gap="sm">
          <Text size="sm">{persons(data.deleted)} deleted.</Text>
          {others.length > 0 && (
            <Alert color="yellow">
              {persons(others.length)} had been deleted or merged before, and nothing changed for them.
            </Alert>
          )}
          {requests.length > 1 && (
            <Text size="sm">
              Each person has a request of its own for its events. This is the first of {formatNumber(requests.length)}:
            </Text>
          )}
          {requests[0] !== undefined && <DeletionReceipt projectId={projectId} id={requests[0]} />}
          <Group justify="flex-end">
            <Button onClick={close}>Close</Button>
          </Group>
        </Stack>
      ) : (
        <Stack gap="sm">
          <Text size="sm">
            The persons and their properties are deleted immediately and cannot be restored. Their distinct ids become
            free: a later event with one of them creates a new person.
          </Text>
          <Checkbox
            label="Delete their events too"
            description="In the next run of the deletion job: the receipt says when. Until then insights count them. Otherwise the events stay, insights count them, and they belong to no person until an id is used again."
            checked={withEvents}
            onChange={({ currentTarget }) => setWithEvents(currentTarget.checked)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button color="red.9" loading={isPending} onClick={() => mutate()}>
              Delete {persons(ids.length)}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
