import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { addressOf, list } from '../../api/client';
import { type Account, type AccountType } from '../../api/types';
import { useProjectId } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { Choice } from '../../ui/choice';
import { EmptyState } from '../../ui/empty-state';
import { EndlessTable } from '../../ui/endless-table';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { accountTypesQuery } from '../../filters/account-types';
import { capital, nounOfType } from '../../filters/account-words';
import { ListFilter, useListFilter } from '../../filters/list-filter';
import { useAccountColumns } from '../../filters/account-columns';

const groups = '/api/projects/{project_id}/groups';

/** Names of types that are longer together than this are not beside each other, not even on a phone. */
const mostLetters = 36;

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
      {types && <AccountsOfTypes projectId={projectId} types={types} />}
    </Page>
  );
}

interface AccountsOfTypesProps {
  readonly projectId: string;
  readonly types: readonly AccountType[];
}

/** A choice of the type if there are several, and the accounts of the type that the address names, else of the first one. */
function AccountsOfTypes({ projectId, types }: AccountsOfTypesProps) {
  const [question, ask] = useQuestion();
  const type = types.find(({ group_type: name }) => name === textOf(question['type'])) ?? types[0];
  if (!type) return null;
  const lines = types.map((each) => ({ value: each.group_type, label: capital(nounOfType(each)[1]) }));
  const fit = lines.reduce((sum, { label }) => sum + label.length, 0) <= mostLetters;
  const choice = {
    'aria-label': 'Type of account',
    data: lines,
    value: type.group_type,
    onChange: (name: string) => ask({ type: name, filter: undefined }),
  };
  return (
    <>
      {types.length > 1 && !fit && <Choice {...choice} maw={260} />}
      {types.length > 1 && fit && <SegmentedControl {...choice} style={{ alignSelf: 'flex-start' }} />}
      {/* A filter that follows the typing must not reach the list of another type. */}
      <AccountsOfType key={type.group_type_index} projectId={projectId} type={type} />
    </>
  );
}

function AccountsOfType({ projectId, type }: { readonly projectId: string; readonly type: AccountType }) {
  const { group_type_index: index } = type;
  const columns = useAccountColumns(index);
  const path = { project_id: projectId };
  const { query: narrowed, isNarrowed, clear } = useListFilter();
  const query = { group_type_index: index, ...narrowed };
  const noun = nounOfType(type);
  const [one, many] = noun;
  return (
    <>
      <ListFilter label={`Search ${many}`} placeholder="Name, key or e-mail" kinds={[`group:${index}`]} />
      <EndlessTable
        list={list(groups, { path, query })}
        columns={columns}
        table={`accounts-${index}`}
        noun={noun}
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
          <EmptyState title={isNarrowed ? `No ${one} matches` : `No ${many} yet`}>
            {isNarrowed && (
              <Button variant="light" mt="sm" onClick={clear}>
                Remove the search and the filter
              </Button>
            )}
          </EmptyState>
        }
      />
    </>
  );
}
