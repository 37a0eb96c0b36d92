import { Button, Group, Modal, MultiSelect, SegmentedControl, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client';
import { projectsQuery } from '../../../api/accounts';
import { useOpenProject } from '../../../address/project-context';
import { DayInput } from '../../../ui/day-input';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { useChange } from '../../../ui/use-change';
import { useIsOwner } from '../shared/use-is-owner';
import { type Key } from '../../../api/accounts';
import { keyScopes, scopesOf, type Levels } from './scopes';

interface NewKeyProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onMade: (key: Key) => void;
}

export function NewKey({ isOpen, onClose, onMade }: NewKeyProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New key" size="lg">
      <NewKeyForm onMade={onMade} />
    </Modal>
  );
}

const labels = { none: 'None', read: 'Read', write: 'Write' } as const;

const fields = ['label', 'scopes', 'scoped_projects', 'expires_at'];

/** The key lasts to the end of the chosen day in UTC. */
const endOfDay = (day: string): string => `${day}T23:59:59.000Z`;

function NewKeyForm({ onMade }: Pick<NewKeyProps, 'onMade'>) {
  const { can } = useOpenProject();
  const isOwner = useIsOwner();
  const [label, setLabel] = useState('');
  const [levels, setLevels] = useState<Levels>({ event: 'read', person: 'read', query: 'read' });
  const [isAll, setAll] = useState(false);
  const [projectIds, setProjectIds] = useState<string[]>([]);
  const [day, setDay] = useState('');
  const projects = useQuery(projectsQuery);
  const scopes: Key['scopes'] = isAll ? ['*'] : scopesOf(levels);
  const { mutate, isPending, error } = useChange(
    () =>
      api.POST('/api/personal_api_keys', {
        body: {
          label,
          scopes,
          scoped_projects: projectIds.length === 0 ? null : projectIds.map(Number),
          expires_at: day === '' ? null : endOfDay(day),
        },
      }),
    { refreshes: ['/api/personal_api_keys'], message: 'Key created.', hasForm: true, onDone: onMade },
  );

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack>
        <FormProblem error={error} fields={fields} />
        <TextInput
          label="Label"
          description="What the key is for."
          required
          maxLength={200}
          data-autofocus
          value={label}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
          error={errorAt(error, 'label')}
        />
        <Stack gap="xs" role="group" aria-label="Scopes">
          <Text size="sm" fw={500}>
            What it may do
          </Text>
          {isOwner && (
            <Switch
              label="Everything (*), owners only"
              checked={isAll}
              onChange={({ currentTarget }) => setAll(currentTarget.checked)}
            />
          )}
          {!isAll &&
            keyScopes.map((scope) => {
              const allowed = scope.levels.filter((level) => can(`${scope.name}:${level}`));
              return (
                <Group key={scope.name} justify="space-between" gap="xs">
                  <Text size="sm">{scope.label}</Text>
                  <SegmentedControl
                    size="xs"
                    aria-label={scope.label}
                    data={(['none', ...allowed] as const).map((level) => ({ value: level, label: labels[level] }))}
                    value={levels[scope.name] ?? 'none'}
                    onChange={(level) => setLevels({ ...levels, [scope.name]: level })}
                  />
                </Group>
              );
            })}
          {errorAt(error, 'scopes') !== null && (
            <Text size="sm" c="red" role="alert">
              {errorAt(error, 'scopes')}
            </Text>
          )}
        </Stack>
        <MultiSelect
          label="Projects"
          placeholder={projectIds.length === 0 ? 'All projects' : ''}
          searchable
          clearable
          data={(projects.data?.results ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={projectIds}
          onChange={setProjectIds}
          error={errorAt(error, 'scoped_projects')}
        />
        <DayInput
          label="Expiry date"
          clearable
          description="The key works until the end of this day (UTC). Leave empty for no expiry."
          value={day === '' ? null : day}
          onChange={(chosen) => setDay(chosen ?? '')}
          error={errorAt(error, 'expires_at')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={scopes.length === 0}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
