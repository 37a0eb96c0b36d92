import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { type Person } from '../../api/types';
import { EmptyState } from '../../ui/empty-state';
import { EndlessTable } from '../../ui/endless-table';
import { usePersonColumns } from '../../ui/person-columns';
import { type OfCohort } from './existing-cohort';
import { cohortAddress, cohortKey } from './requests';

const uuidOf = ({ uuid }: Person): string => uuid;
const nameOf = ({ name }: Person): string => name;

/** The persons in the cohort. They are read anew when its members were calculated again. */
export function MembersTab({ projectId, cohort }: OfCohort) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 250);
  const columns = usePersonColumns();
  const address = (parameters: Record<string, string>): string => {
    const text = new URLSearchParams({ ...parameters, ...(search === '' ? {} : { search }) }).toString();
    return `${cohortAddress(projectId, cohort.id)}/persons${text === '' ? '' : `?${text}`}`;
  };
  return (
    <>
      <TextInput
        mb="sm"
        maw={420}
        type="search"
        aria-label="Search members"
        placeholder="E-mail, name, distinct id or UUID"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <EndlessTable
        key={`${cohort.version} ${cohort.count}`}
        address={address({})}
        queryKey={[...cohortKey(projectId, cohort.id), 'members', cohort.version, cohort.count]}
        columns={columns}
        table="persons"
        noun={['person', 'persons']}
        idOf={uuidOf}
        nameOf={nameOf}
        linkOf={({ uuid }) => `/p/${projectId}/persons/${uuid}`}
        height="max(360px, calc(100dvh - 380px))"
        actions={
          <Button
            size="xs"
            variant="default"
            component="a"
            href={address({ format: 'csv' })}
            download={`cohort-${cohort.id}.csv`}
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            CSV
          </Button>
        }
        empty={
          search !== '' ? (
            <EmptyState title="No member matches" />
          ) : cohort.is_calculating ? (
            <EmptyState title="The members are being calculated">The list appears when they are known.</EmptyState>
          ) : (
            <EmptyState title="No members">
              {cohort.is_static
                ? 'Persons come into this cohort by an upload, or one by one.'
                : 'No person fits the definition.'}
            </EmptyState>
          )
        }
      />
    </>
  );
}
