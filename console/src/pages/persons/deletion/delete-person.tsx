import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatNumber } from '../../../ui/format';
import { notifyDone } from '../../../ui/notify';
import { type OfPerson } from '../person-page';
import { deletePerson, usePersonChange } from '../requests';

interface DialogProps extends OfPerson {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** After the deletion the list of persons shows the receipt, because this page has no person any more. */
export function DeletePerson({ projectId, person, isOpen, onClose }: DialogProps) {
  const [withEvents, setWithEvents] = useState(false);
  const navigate = useNavigate();
  const { mutate, isPending } = usePersonChange(
    projectId,
    () => deletePerson(projectId, person.uuid, withEvents),
    async (receipt) => {
      notifyDone(`${person.name} was deleted.`);
      await navigate({ to: `/p/${projectId}/persons`, search: receipt === null ? {} : { deletion: receipt } });
    },
  );
  const ids = person.distinct_id_count;
  return (
    <Modal opened={isOpen} onClose={onClose} title="Delete this person?">
      <Stack gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <b>{person.name}</b> and all its properties are deleted at once and cannot be restored.{' '}
          {ids === 1
            ? 'Its distinct id is free: a later event with it makes a new person.'
            : `Its ${formatNumber(ids)} distinct ids are free: a later event with one of them makes a new person.`}
        </Text>
        <Checkbox
          label="Delete the person’s events too"
          description="All events received until now, in the next run of the deletion job: the receipt that you get says when. Until then insights count them. Otherwise the events stay, insights count them, and they belong to no person until an id is used again."
          checked={withEvents}
          onChange={({ currentTarget }) => setWithEvents(currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red.9" loading={isPending} onClick={() => mutate(undefined)}>
            {withEvents ? 'Delete the person and its events' : 'Delete the person'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
