import { Button, Group, SegmentedControl, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { addressOf, list } from '../../api/client';
import { type Account, type AccountType } from '../../api/types';
import { useProjectId } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { EmptyState } from '../../ui/empty-state';
import { EndlessTable } from '../../ui/endless-table';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { SearchInput } from '../../ui/search-input';
import { accountTypesQuery, nameOfType } from './account';
import { useAccountColumns } from './account-columns';

const groups = '/api/projects/{project_id}/groups';

const idOf = ({ id }: Account): string => String(id);
const nameOf = ({ name }: Account): string => name;

export function AccountsPage() {
  const projectId = useProjectId();
  const { data: types, error, refetch } = useQuery(accountTypesQuery(projectId));
  return (
    <Page title="Accounts">
      {error && !types && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!error && !types && <Skeleton height={320} role="status" aria-busy aria-label="Loading the types of accounts" />}
      {types?.length === 0 && (
        <EmptyState title="No accounts yet">
          An account, such as a company, appears with the first event that names it in <code>$groups</code>.
        </EmptyState>
      )}
      {types && types.length > 0 && <AccountsOfType projectId={projectId} types={types} />}
    </Page>
  );
}

interface AccountsOfTypeProps {
  readonly projectId: string;
  /** At least one. */
  readonly types: readonly AccountType[];
}

/** The accounts of the type that the address names, and a choice of the type if there are several. */
function AccountsOfType({ projectId, types }: AccountsOfTypeProps) {
  const [question, ask] = useQuestion();
  const search = textOf(question['search']) ?? '';
  const type = types.find(({ group_type: name }) => name === textOf(question['type'])) ?? types[0];
  const index = type?.group_type_index ?? 0;
  const columns = useAccountColumns(index);
  const path = { project_id: projectId };
  const query = { group_type_index: index, search: search || undefined };
  return (
    <>
      <Group gap="xs">
        {types.length > 1 && (
          <SegmentedControl
            aria-label="Type of account"
            data={types.map((each) => ({ value: each.group_type, label: nameOfType(each) }))}
            value={type?.group_type ?? ''}
            onChange={(name) => ask({ type: name })}
          />
        )}
        <SearchInput aria-label="Search accounts" placeholder="Name, key or e-mail" />
      </Group>
      <EndlessTable
        list={list(groups, { path, query })}
        columns={columns}
        table={`accounts-${index}`}
        noun={['account', 'accounts']}
        idOf={idOf}
        nameOf={nameOf}
        linkOf={({ id }) => `/p/${projectId}/accounts/${id}`}
        actions={
          <Button
            size="xs"
            variant="default"
            component="a"
            href={addressOf(groups, { path, query: { ...query, format: 'csv' } })}
            download
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            CSV
          </Button>
        }
        empty={
          <EmptyState title={search === '' ? 'No accounts of this type' : 'No account matches'}>
            {search !== '' && (
              <Button variant="light" mt="sm" onClick={() => ask({ search: undefined })}>
                Remove the search
              </Button>
            )}
          </EmptyState>
        }
      />
    </>
  );
}
