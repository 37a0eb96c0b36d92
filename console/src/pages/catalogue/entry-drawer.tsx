import { Anchor, Button, Code, Drawer, Group, Stack, Switch, Text, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { personName } from '../../api/accounts';
import { answer, api } from '../../api/client';
import { useOpenProject } from '../../address/project-context';
import { ProblemAlert } from '../../ui/problem-alert';
import { useChange } from '../../ui/use-change';
import { type CatalogueEntry, type CatalogueKind } from './entry';
import { Select } from '../../ui/select';

interface EntryDrawerProps {
  readonly kind: CatalogueKind;
  readonly entry: CatalogueEntry | null;
  readonly onClose: () => void;
}

/** Edits the description of one name, and shows what uses the name. */
export function EntryDrawer({ kind, entry, onClose }: EntryDrawerProps) {
  return (
    <Drawer opened={entry !== null} onClose={onClose} position="right" size="md" title="Name">
      {entry && <EntryForm kind={kind} entry={entry} onClose={onClose} />}
    </Drawer>
  );
}

function EntryForm({ kind, entry, onClose }: EntryDrawerProps & { readonly entry: CatalogueEntry }) {
  const { project, can } = useOpenProject();
  const [description, setDescription] = useState(entry.description);
  const [owner, setOwner] = useState(entry.owner === null ? null : String(entry.owner.id));
  const [hidden, setHidden] = useState(entry.hidden);
  const isReadOnly = !can('project:write');

  const path = { project_id: String(project.id) };
  const members = useQuery(answer('/api/projects/{project_id}/members', { path, query: { limit: 200 } }));
  const users = [...(entry.owner ? [entry.owner] : []), ...(members.data?.results.map(({ user }) => user) ?? [])];
  const owners = new Map(users.map((user) => [String(user.id), personName(user)]));

  const { mutate, isPending, error } = useChange<unknown>(
    () => {
      const body = { name: entry.name, description, owner: owner === null ? null : Number(owner), hidden };
      return kind === 'events'
        ? api.PATCH('/api/projects/{project_id}/catalogue/events', { params: { path }, body })
        : api.PATCH('/api/projects/{project_id}/catalogue/properties', { params: { path }, body: { ...body, kind } });
    },
    {
      refreshes: ['/api/projects/{project_id}/catalogue/events', '/api/projects/{project_id}/catalogue/properties'],
      message: 'Saved.',
      hasForm: true,
      onDone: onClose,
    },
  );

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack>
        <Code block>{entry.name}</Code>
        {error && <ProblemAlert error={error} />}
        <Textarea
          label="Description"
          autosize
          minRows={3}
          maxLength={1000}
          readOnly={isReadOnly}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        <Select
          label="Owner"
          placeholder="No owner"
          clearable
          searchable
          readOnly={isReadOnly}
          data={[...owners].map(([value, label]) => ({ value, label }))}
          value={owner}
          onChange={setOwner}
        />
        <Switch
          label="Hidden"
          description="Hidden from lists of names; answers do not change."
          disabled={isReadOnly}
          checked={hidden}
          onChange={({ currentTarget }) => setHidden(currentTarget.checked)}
        />
        {!isReadOnly && (
          <Group justify="flex-end">
            <Button type="submit" loading={isPending}>
              Save
            </Button>
          </Group>
        )}
        <Uses title="Cohorts" path={`/p/${project.id}/cohorts/`} items={entry.used_by.cohorts} />
        <Uses title="Saved insights" path={`/p/${project.id}/saved?insight=`} items={entry.used_by.insights} />
        <Uses title="Actions" path={null} items={entry.used_by.actions} />
      </Stack>
    </form>
  );
}

interface UsesProps {
  readonly title: string;
  /** The address of one of them, without its id. */
  readonly path: string | null;
  readonly items: readonly { readonly id: number; readonly name: string }[];
}

function Uses({ title, path, items }: UsesProps) {
  if (items.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h6" mb={4}>
        {title} that use it
      </Title>
      <Stack gap={2}>
        {items.map(({ id, name }) =>
          path === null ? (
            <Text key={id} size="sm">
              {name}
            </Text>
          ) : (
            <Anchor key={id} component={Link} to={`${path}${id}`} size="sm">
              {name}
            </Anchor>
          ),
        )}
      </Stack>
    </section>
  );
}
