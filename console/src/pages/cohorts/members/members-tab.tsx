import { Button, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { addressOf, keyOf, list } from '../../../api/client';
import { type Account, type Person } from '../../../api/types';
import { textOf, useQuestion } from '../../../address/search';
import { EmptyState } from '../../../ui/empty-state';
import { EndlessTable } from '../../../ui/endless-table';
import { formatTime } from '../../../ui/format';
import { useAccountColumns } from '../../../filters/account-columns';
import { capital } from '../../../filters/account-words';
import { usePersonColumns } from '../../../filters/person-columns';
import { useActors } from '../../../insights/actors';
import { AsOfField } from './as-of-field';
import { type CohortProps, pathOf } from '../cohort';

const persons = '/api/projects/{project_id}/cohorts/{id}/persons';
const accounts = '/api/projects/{project_id}/cohorts/{id}/groups';

const uuidOf = ({ uuid }: Person): string => uuid;
const idOf = ({ id }: Account): string => String(id);
const nameOf = ({ name }: Person | Account): string => name;

/** The persons or accounts in the cohort, now or at an earlier moment. They are read anew when its members were calculated again. */
export function MembersTab({ projectId, cohort }: CohortProps) {
  const [question, ask] = useQuestion();
  const asOf = textOf(question['as_of']);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 250);
  const { groupType, noun } = useActors();
  const [one, many] = noun;
  const personColumns = usePersonColumns();
  const accountColumns = useAccountColumns(groupType);
  const path = pathOf(projectId, cohort);
  const query = { search: search || undefined, as_of: asOf };
  const shared = {
    key: `${cohort.version} ${cohort.count} ${asOf}`,
    noun,
    nameOf,
    height: 'max(360px, calc(100dvh - 400px))',
    actions: (
      <Button
        size="xs"
        variant="default"
        component="a"
        href={addressOf(groupType === null ? persons : accounts, { path, query: { ...query, format: 'csv' } })}
        download={`cohort-${cohort.id}.csv`}
        leftSection={<IconDownload size={14} aria-hidden />}
      >
        CSV
      </Button>
    ),
    empty:
      search !== '' ? (
        <EmptyState kind="search" title="No member matches" />
      ) : asOf !== undefined ? (
        <EmptyState title="The cohort had no members then" />
      ) : cohort.is_calculating ? (
        <EmptyState title="The members are being calculated">The list appears when the calculation is done.</EmptyState>
      ) : (
        <EmptyState title="No members">
          {cohort.is_static ? `Add ${many} in the tab Upload, or one by one.` : `No ${one} fits the definition.`}
        </EmptyState>
      ),
  };
  return (
    <>
      <Group mb="sm" gap="sm" align="flex-end">
        <TextInput
          flex="1 1 220px"
          maw={420}
          type="search"
          label="Search members"
          placeholder={groupType === null ? 'E-mail, name, distinct id or UUID' : 'Name, key or e-mail'}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <AsOfField value={asOf} onChange={(moment) => ask({ as_of: moment })} />
      </Group>
      {asOf !== undefined && <Then asOf={asOf} />}
      {groupType === null ? (
        <EndlessTable
          {...shared}
          list={{ ...list(persons, { path, query }), key: keyOf(persons, path, query, cohort.version, cohort.count) }}
          columns={personColumns}
          table="persons"
          idOf={uuidOf}
          linkOf={({ uuid }) => `/p/${projectId}/persons/${uuid}`}
        />
      ) : (
        <EndlessTable
          {...shared}
          list={{ ...list(accounts, { path, query }), key: keyOf(accounts, path, query, cohort.version, cohort.count) }}
          columns={accountColumns}
          table={`accounts-${groupType}`}
          idOf={idOf}
          linkOf={({ id }) => `/p/${projectId}/accounts/${id}`}
        />
      )}
    </>
  );
}

/** Explains an earlier list, and what it cannot show. */
function Then({ asOf }: { readonly asOf: string }) {
  const {
    groupType,
    noun: [, many],
  } = useActors();
  return (
    <Text size="sm" c="dimmed" mb="sm" role="note" style={{ overflowWrap: 'anywhere' }}>
      The members of {momentText(asOf)}.{' '}
      {groupType === null
        ? 'Persons are shown as they are now: a merged person is the one that it became, a deleted one is missing.'
        : `${capital(many)} are shown as they are now; deleted ones are missing.`}
    </Text>
  );
}

/** A moment without a zone is one of the project's clock already. */
const momentText = (asOf: string): string => {
  const moment = new Date(`${asOf.length === 10 ? `${asOf}T00:00` : asOf}Z`);
  return Number.isNaN(moment.getTime()) ? asOf : formatTime(moment, 'UTC');
};
