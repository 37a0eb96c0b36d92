import { Button, Checkbox, Group, Modal, Paper, Stack, Table, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../../api/client';
import { useOpenProject } from '../../../address/project-context';
import { AskFirst } from '../../../ui/ask-first';
import { EmptyState } from '../../../ui/empty-state';
import { formatNumber } from '../../../ui/format';
import { notifyDone } from '../../../ui/notify';
import { pathOf, type PersonProps, usePersonChange } from '../person';
import { PropertyEditor } from './property-editor';
import { PropertyHistory } from './property-history';
import { PropertyRow } from './property-row';
import { valueText } from '../../../ui/value';

/** Lists the properties of the person: search, change in place, remove, add, and how each property became what it is. */
export function PropertiesTab({ projectId, person }: PersonProps) {
  const { can } = useOpenProject();
  const [search, setSearch] = useState('');
  const [isShort, setShort] = useState(false);
  const [editing, setEditing] = useState<string | null>(null);
  const [history, setHistory] = useState<string | null>(null);
  const [unsetting, setUnsetting] = useState<string | null>(null);
  const mayWrite = can('person:write');
  const path = pathOf(projectId, person);

  const set = usePersonChange(
    ({ key, value }: { key: string; value: unknown }) =>
      api.PATCH('/api/projects/{project_id}/persons/{id}', {
        params: { path },
        body: { properties: Object.fromEntries([[key, value]]) },
      }),
    (_, { key }) => {
      setEditing(null);
      notifyDone(`${key} was set.`);
    },
  );
  const unset = usePersonChange(
    (key: string) =>
      api.POST('/api/projects/{project_id}/persons/{id}/delete_property', { params: { path }, body: { $unset: key } }),
    (_, key) => {
      setUnsetting(null);
      notifyDone(`${key} was removed.`);
    },
  );

  // Properties that a product sets itself come before those of browsers and libraries.
  const all = Object.entries(person.properties).sort(
    ([a], [b]) => Number(a.startsWith('$')) - Number(b.startsWith('$')) || a.localeCompare(b),
  );
  const text = search.toLowerCase();
  const shown = all.filter(
    ([key, value]) =>
      !(isShort && key.startsWith('$')) &&
      (key.toLowerCase().includes(text) || valueText(value).toLowerCase().includes(text)),
  );
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <TextInput
          flex="1 1 200px"
          maw={360}
          type="search"
          aria-label="Search properties"
          placeholder="Search keys and values"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <Checkbox
          label="Without $ properties"
          checked={isShort}
          onChange={({ currentTarget }) => setShort(currentTarget.checked)}
        />
        <Text size="sm" c="dimmed" role="status" className="numbers">
          {shown.length === all.length
            ? `${formatNumber(all.length)} ${all.length === 1 ? 'property' : 'properties'}`
            : `${formatNumber(shown.length)} of ${formatNumber(all.length)} properties`}
        </Text>
      </Group>
      {mayWrite && (
        <AddProperty
          isSaving={set.isPending}
          onAdd={(key, value, done) => set.mutate({ key, value }, { onSuccess: done })}
        />
      )}
      {shown.length === 0 ? (
        <EmptyState kind="search" title={all.length === 0 ? 'No properties yet' : 'No property matches'}>
          {all.length === 0 && (
            <>
              Events set them with <code>$set</code>; you can also add one here.
            </>
          )}
        </EmptyState>
      ) : (
        <Paper withBorder style={{ overflow: 'hidden' }}>
          <Table.ScrollContainer minWidth={330}>
            <Table verticalSpacing={6} highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w="30%">Property</Table.Th>
                  <Table.Th>Value</Table.Th>
                  <Table.Th w={80} visibleFrom="sm">
                    Type
                  </Table.Th>
                  <Table.Th w={120}>
                    <VisuallyHidden>Actions</VisuallyHidden>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map(([key, value]) => (
                  <PropertyRow
                    key={key}
                    name={key}
                    value={value}
                    isEditing={editing === key}
                    isSaving={set.isPending}
                    mayWrite={mayWrite}
                    onEdit={() => setEditing(key)}
                    onCancel={() => setEditing(null)}
                    onSave={(changed) => set.mutate({ key, value: changed })}
                    onUnset={() => setUnsetting(key)}
                    onHistory={() => setHistory(key)}
                  />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
      <AskFirst
        title="Remove this property?"
        confirm="Remove"
        isOpen={unsetting !== null}
        isPending={unset.isPending}
        onConfirm={() => unsetting !== null && unset.mutate(unsetting)}
        onClose={() => setUnsetting(null)}
      >
        <b>{unsetting}</b> is removed from the person. Past events keep what they say.
      </AskFirst>
      <Modal opened={history !== null} onClose={() => setHistory(null)} title={`History of ${history ?? ''}`} size="lg">
        {history !== null && <PropertyHistory projectId={projectId} person={person} name={history} />}
      </Modal>
    </Stack>
  );
}

function AddProperty({
  isSaving,
  onAdd,
}: {
  readonly isSaving: boolean;
  readonly onAdd: (key: string, value: unknown, done: () => void) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [key, setKey] = useState('');
  const close = (): void => {
    setOpen(false);
    setKey('');
  };
  if (!isOpen)
    return (
      <Group>
        <Button
          size="xs"
          variant="light"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          Add a property
        </Button>
      </Group>
    );
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <TextInput
          size="xs"
          label="Property"
          autoFocus
          maw={320}
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
        />
        <PropertyEditor
          value=""
          isSaving={isSaving}
          onCancel={close}
          onSave={(value) => key !== '' && onAdd(key, value, close)}
        />
      </Stack>
    </Paper>
  );
}
