import { Button, Collapse, Group, Paper, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconFilter, IconSearch, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Person } from '../../api/types';
import { useOpenProject } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { FilterBuilder } from '../../filters/filter-builder';
import { filterParam, readFilter } from '../../filters/filter';
import { EmptyState } from '../../ui/empty-state';
import { EndlessTable } from '../../ui/endless-table';
import { formatNumber } from '../../ui/format';
import { Page } from '../../ui/page';
import { BulkDelete } from './deletion/bulk-delete';
import { DeletionReceipt } from './deletion/deletion-receipt';
import { usePersonColumns } from '../../filters/person-columns';

/** The service deletes at most so many persons together. */
const mostSelected = 1000;

const none: ReadonlySet<string> = new Set();

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
  const [isDeleting, setDeleting] = useState(false);
  const columns = usePersonColumns();
  const address = addressOf(projectId, { search, properties });
  // What was selected in another list is not selected in this one.
  const [selection, setSelection] = useState({ address, ids: none });
  const selected = selection.address === address ? selection.ids : none;
  const setSelected = (ids: ReadonlySet<string>): void => setSelection({ address, ids });

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
              A person appears with the first event of a distinct id, or with an import. Until <code>identify</code>,
              the events of posthog-js have no person.
              <br />
              <Button component={Link} to={`/p/${projectId}/live`} variant="light" mt="sm">
                Send the first event
              </Button>
            </EmptyState>
          )
        }
      />
      <BulkDelete
        projectId={projectId}
        ids={[...selected]}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onDone={() => setSelected(none)}
      />
    </Page>
  );
}

/** Writes into the address bar a moment after the last key. */
function SearchInput({ value, onChange }: { readonly value: string; readonly onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [written, setWritten] = useState(value);
  if (known !== value) {
    setKnown(value);
    // A text that this field wrote itself may be older than what has been typed since.
    if (value !== written) setTyped(value);
  }
  const write = useDebouncedCallback((text: string) => {
    setWritten(text);
    onChange(text);
  }, 250);
  return (
    <TextInput
      flex="1 1 220px"
      maw={420}
      type="search"
      aria-label="Search persons"
      placeholder="E-mail, name, distinct id or UUID"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        write(currentTarget.value);
      }}
    />
  );
}
