import { Button } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { addressOf, list } from '../../api/client';
import { type Person } from '../../api/types';
import { useOpenProject } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { ListFilter, useListFilter } from '../../filters/list-filter';
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

const persons = '/api/projects/{project_id}/persons';

export function PersonsPage() {
  const { project, can } = useOpenProject();
  const projectId = String(project.id);
  const [question, ask] = useQuestion();
  const deletion = textOf(question['deletion']);
  const [isDeleting, setDeleting] = useState(false);
  const columns = usePersonColumns();
  const path = { project_id: projectId };
  const { query, isNarrowed, clear } = useListFilter();
  const found = list(persons, { path, query });
  const { address } = found;
  // A selection in another list does not count in this one.
  const [selection, setSelection] = useState({ address, ids: none });
  const selected = selection.address === address ? selection.ids : none;
  const setSelected = (ids: ReadonlySet<string>): void => setSelection({ address, ids });

  return (
    <Page title="Persons">
      {deletion !== undefined && (
        <DeletionReceipt projectId={projectId} id={deletion} onClose={() => ask({ deletion: undefined })} />
      )}
      <ListFilter label="Search persons" placeholder="E-mail, name, distinct id or UUID" />
      <EndlessTable
        list={found}
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
              href={addressOf(persons, { path, query: { ...query, format: 'csv' } })}
              download
              leftSection={<IconDownload size={14} aria-hidden />}
            >
              CSV
            </Button>
          </>
        }
        empty={
          isNarrowed ? (
            <EmptyState kind="search" title="No person matches">
              <Button variant="light" mt="sm" onClick={clear}>
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
