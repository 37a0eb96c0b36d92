import { Alert, Button, Group, Modal, Radio, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../../../api/client';
import { type Person } from '../../../api/types';
import { useProject } from '../../../address/project-context';
import { formatNumber, formatTime } from '../../../ui/format';
import { notifyDone } from '../../../ui/notify';
import { ProblemAlert } from '../../../ui/problem-alert';
import { pathOf, type PersonProps, usePersonChange } from '../person';

interface DialogProps extends PersonProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Makes two persons one: the user chooses the other person, and which of the two stays. */
export function MergePerson({ isOpen, onClose, ...of }: DialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Merge with another person" size="lg">
      <MergeForm {...of} onClose={onClose} />
    </Modal>
  );
}

function MergeForm({ projectId, person, onClose }: Omit<DialogProps, 'isOpen'>) {
  const [other, setOther] = useState<Person | null>(null);
  const [staying, setStaying] = useState<'other' | 'this'>('other');
  const navigate = useNavigate();
  const [survivor, merged] = staying === 'other' ? [other, person] : [person, other];
  const { mutate, isPending } = usePersonChange(
    ([stays, goes]: readonly [Person, Person]) =>
      api.POST('/api/projects/{project_id}/persons/{id}/merge', {
        params: { path: pathOf(projectId, stays) },
        body: { persons: [goes.uuid] },
      }),
    async ({ uuid }, [stays, goes]) => {
      notifyDone(`${goes.name} was merged into ${stays.name}.`);
      onClose();
      if (uuid !== person.uuid) await navigate({ to: `/p/${projectId}/persons/${uuid}` });
    },
  );
  return (
    <Stack gap="sm">
      <OtherPerson projectId={projectId} person={person} value={other} onChange={setOther} />
      {other && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            Which person stays?
          </Text>
          <SegmentedControl
            fullWidth
            aria-label="Which person stays"
            value={staying}
            onChange={(value) => setStaying(value === 'this' ? 'this' : 'other')}
            data={[
              { value: 'other', label: other.name },
              { value: 'this', label: `${person.name} (this one)` },
            ]}
          />
        </div>
      )}
      {survivor && merged && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="What a merge does">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {merged.distinct_id_count === 1
              ? 'The distinct id'
              : `All ${formatNumber(merged.distinct_id_count)} distinct ids`}{' '}
            and all past events of <b>{merged.name}</b> go to <b>{survivor.name}</b>, in every answer at once. Where
            both have a property, the value of <b>{survivor.name}</b> stays. <b>{merged.name}</b> no longer exists. For
            90 days the merge can be undone on the page of <b>{survivor.name}</b>; later, splitting the ids off makes
            persons without properties.
          </Text>
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          color="red.9"
          disabled={!survivor || !merged}
          loading={isPending}
          onClick={() => survivor && merged && mutate([survivor, merged])}
        >
          Merge
        </Button>
      </Group>
    </Stack>
  );
}

function OtherPerson({
  projectId,
  person,
  value,
  onChange,
}: PersonProps & { readonly value: Person | null; readonly onChange: (person: Person) => void }) {
  const { timezone } = useProject();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const { data, error } = useQuery({
    ...answer('/api/projects/{project_id}/persons', { path: { project_id: projectId }, query: { search, limit: 8 } }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
  const found = search === '' ? [] : (data?.results ?? []).filter(({ uuid }) => uuid !== person.uuid);
  const listed = value && !found.some(({ uuid }) => uuid === value.uuid) ? [value, ...found] : found;
  return (
    <Stack gap="xs">
      <TextInput
        data-autofocus
        label="The other person"
        placeholder="E-mail, name, distinct id or UUID"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {error && <ProblemAlert error={error} />}
      {data && search !== '' && listed.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          No other person matches.
        </Text>
      )}
      <Radio.Group
        aria-label="Persons found"
        value={value?.uuid ?? ''}
        onChange={(uuid) => {
          const chosen = listed.find((one) => one.uuid === uuid);
          if (chosen) onChange(chosen);
        }}
      >
        <Stack gap={6}>
          {listed.map((one) => (
            <Radio
              key={one.uuid}
              value={one.uuid}
              label={one.name}
              description={`${formatNumber(one.distinct_id_count)} distinct ${one.distinct_id_count === 1 ? 'id' : 'ids'}, first seen ${formatTime(one.created_at, timezone)}`}
              styles={{ label: { overflowWrap: 'anywhere' } }}
            />
          ))}
        </Stack>
      </Radio.Group>
    </Stack>
  );
}
