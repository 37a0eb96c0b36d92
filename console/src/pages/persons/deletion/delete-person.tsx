import { Checkbox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client';
import { AskFirst } from '../../../ui/ask-first';
import { formatNumber } from '../../../ui/format';
import { notifyDone } from '../../../ui/notify';
import { pathOf, type PersonProps, usePersonChange } from '../person';

interface DialogProps extends PersonProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** After the deletion the list of persons shows the receipt, because this page has no person any more. */
export function DeletePerson({ projectId, person, isOpen, onClose }: DialogProps) {
  const [withEvents, setWithEvents] = useState(false);
  const navigate = useNavigate();
  const { mutate, isPending } = usePersonChange(
    async () => {
      const { error, response } = await api.DELETE('/api/projects/{project_id}/persons/{id}', {
        params: { path: pathOf(projectId, person), query: { delete_events: withEvents } },
      });
      // The address of the deletion request for the events; there is none if they stay.
      return { data: response.headers.get('location')?.split('/').at(-1), error, response };
    },
    (receipt) => {
      notifyDone(`${person.name} was deleted.`);
      return navigate({ to: `/p/${projectId}/persons`, search: receipt === undefined ? {} : { deletion: receipt } });
    },
  );
  const ids = person.distinct_id_count;
  return (
    <AskFirst
      title="Delete this person?"
      confirm={withEvents ? 'Delete the person and its events' : 'Delete the person'}
      isOpen={isOpen}
      isPending={isPending}
      onConfirm={mutate}
      onClose={onClose}
    >
      <b>{person.name}</b> and all its properties are deleted immediately and cannot be restored.{' '}
      {ids === 1
        ? 'Its distinct id becomes free: a later event with it creates a new person.'
        : `Its ${formatNumber(ids)} distinct ids become free: a later event with one of them creates a new person.`}
      <Checkbox
        mt="sm"
        label="Delete the person’s events too"
        description="All events received until now, in the next run of the deletion job: the receipt that you get says when. Until then insights count them. Otherwise the events stay, insights count them, and they belong to no person until an id is used again."
        checked={withEvents}
        onChange={({ currentTarget }) => setWithEvents(currentTarget.checked)}
      />
    </AskFirst>
  );
}
