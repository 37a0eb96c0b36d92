import { Button, Collapse, Group, Paper, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconFilter, IconSearch, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type Person } from '../../api/types';
import { useOpenProject } from '../../app/project-context';
import { textOf, useQuestion } from '../../app/search';
import { FilterBuilder } from '../../filters/filter-builder';
import { filterParam, readFilter } from '../../filters/filter';
import { EmptyState } from '../../ui/empty-state';
import { EndlessTable } from '../../ui/endless-table';
import { formatNumber } from '../../ui/format';
import { Page } from '../../ui/page';
import { BulkDelete } from './bulk-delete';
import { DeletionReceipt } from './deletion-receipt';
import { usePersonColumns } from './person-columns';

/** The service deletes at most so many persons together. */
const mostSelected = 1000;

const uuidOf = ({ uuid }: Person): string => uuid;
const nameOf = ({ name }: Person): string => name;

const addressOf = (projectId: string, parameters: Record<string, string | undefined>): string => {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(given).toString();
  return `/api/projects/${projectId}/persons${text === '' ? '' : `?${text}`}`;
};

export function PersonsPage() {
  const { project, can } = useOpenProject();
  const projectId = String(project.id);
  const [question, ask] = useQuestion();
  const filter = readFilter(question['filter']);
  const search = textOf(question['search']) ?? '';
  const deletion = textOf(question['deletion']);
  const conditions = filterParam(filter);

  const [properties] = useDebouncedValue(conditions, 300);
  const [isFiltering, setFiltering] = useState(filter.values.length > 0);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isDeleting, setDeleting] = useState(false);
  const columns = usePersonColumns();
  const address = addressOf(projectId, { search, properties });
  useEffect(() => setSelected(new Set()), [address]);

  const isNarrowed = search !== '' || conditions !== undefined;
  const count = filter.values.length;
  return (
    <Page title="Persons">
      {deletion !== undefined && (
        <DeletionReceipt projectId={projectId} id={deletion} onClose={() => ask({ deletion: undefined })} />
      )}
      <Group gap="xs">
        <SearchInput value={search} onChange={(text) => ask({ search: text || undefined }, { replace: true })} />
        <Button
          variant={count > 0 ? 'light' : 'default'}
          leftSection={<IconFilter size={16} aria-hidden />}
          aria-expanded={isFiltering}
          onClick={() => setFiltering(!isFiltering)}
        >
          {count > 0 ? `Filter (${count})` : 'Filter'}
        </Button>
      </Group>
      <Collapse expanded={isFiltering}>
        <Paper withBorder p="sm">
          <FilterBuilder
            value={filter}
            onChange={(changed) => ask({ filter: changed.values.length > 0 ? changed : undefined }, { replace: true })}
          />
        </Paper>
      </Collapse>
      <EndlessTable
        address={address}
        queryKey={['persons', projectId]}
        columns={columns}
        table="persons"
        noun={['person', 'persons']}
        idOf={uuidOf}
        nameOf={nameOf}
        linkOf={({ uuid }) => `/p/${projectId}/persons/${uuid}`}
        selection={can('person:write') ? { selected, onChange: setSelected, most: mostSelected } : undefined}
        actions={
          <>
            {selected.size > 0 && (
              <Button
                size="xs"
                color="red"
                variant="light"
                leftSection={<IconTrash size={14} aria-hidden />}
                onClick={() => setDeleting(true)}
              >
                Delete {formatNumber(selected.size)}
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              component="a"
              href={addressOf(projectId, { search, properties, format: 'csv' })}
              download
              leftSection={<IconDownload size={14} aria-hidden />}
            >
              CSV
            </Button>
          </>
        }
        empty={
          isNarrowed ? (
            <EmptyState title="No person matches">
              <Button variant="light" mt="sm" onClick={() => ask({ search: undefined, filter: undefined })}>
                Remove the search and the filter
              </Button>
            </EmptyState>
          ) : (
            <EmptyState title="No persons yet">
              A person appears with the first event of a distinct id. Send one to <code>/batch</code> with the project’s
              token, or import persons and events.
            </EmptyState>
          )
        }
      />
      <BulkDelete
        projectId={projectId}
        ids={[...selected]}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onDone={() => setSelected(new Set())}
      />
    </Page>
  );
}

/** Writes into the address bar a moment after the last key. */
function SearchInput({ value, onChange }: { readonly value: string; readonly onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(value);
  const [settled] = useDebouncedValue(typed, 250);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (settled === typed && settled !== value) onChange(settled);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only typing writes the address; a changed address sets the text
  }, [settled]);
  return (
    <TextInput
      flex="1 1 220px"
      maw={420}
      type="search"
      aria-label="Search persons"
      placeholder="E-mail, name, distinct id or UUID"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}
