import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { answer, list, pages } from '../../api/client';
import { type EventRow, type Person } from '../../api/types';
import { useProject, useProjectId } from '../../address/project-context';
import { usePersonColumns } from '../../filters/person-columns';
import { Activity } from '../../ui/activity';
import { EmptyState } from '../../ui/empty-state';
import { EndlessTable, type EndlessColumn } from '../../ui/endless-table';
import { formatCount, formatTime } from '../../ui/format';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { PropertiesTable } from '../../ui/properties-table';
import { Records } from '../../ui/records';
import { RecordSkeleton, TabbedRecord, type RecordTab } from '../../ui/tabbed-record';
import { useAccountTypes } from '../../filters/account-types';
import { FlagsOf } from '../../filters/flag-decisions';
import { capital, nounOfIndex } from '../../filters/account-words';
import { type AccountProps, pathOf } from './account';

const tabs: readonly RecordTab<AccountProps>[] = [
  { name: 'properties', label: 'Properties', Content: PropertiesTab },
  { name: 'persons', label: 'Persons', scopes: ['person:read'], Content: PersonsTab },
  { name: 'events', label: 'Events', scopes: ['event:read'], Content: EventsTab },
  { name: 'cohorts', label: 'Cohorts', scopes: ['cohort:read'], Content: CohortsTab },
  { name: 'flags', label: 'Flags', scopes: ['feature_flag:read'], Content: FlagsTab },
  { name: 'activity', label: 'Activity', scopes: ['activity_log:read'], Content: ActivityTab },
];

export function AccountPage() {
  const { accountId } = useParams({ from: '/p/$projectId/accounts/$accountId' });
  const projectId = useProjectId();
  const path = { project_id: projectId, id: Number(accountId) };
  const { data: account, error, refetch } = useQuery(answer('/api/projects/{project_id}/groups/{id}', { path }));
  if (error && !account)
    return (
      <Page title="Account">
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!account)
    return (
      <Page title="Account">
        <RecordSkeleton label="Loading the account" />
      </Page>
    );
  const of = { projectId, account };
  return (
    <Page title={account.name} description={<Summary account={account} />}>
      <TabbedRecord tabs={tabs} of={of} />
    </Page>
  );
}

/** Shows the type and the key of the account, and when it was seen first. */
function Summary({ account }: Pick<AccountProps, 'account'>) {
  const { timezone } = useProject();
  const [one] = nounOfIndex(useAccountTypes(), account.group_type_index);
  return (
    <Group gap="md" mt={4} style={{ rowGap: 4 }}>
      <Text size="sm" component="span">
        {capital(one)}{' '}
        <Text span ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {account.group_key}
        </Text>
      </Text>
      <Text size="sm" component="span" title={account.created_at}>
        First seen {formatTime(account.created_at, timezone)}
      </Text>
    </Group>
  );
}

function PropertiesTab({ account }: AccountProps) {
  return (
    <PropertiesTable
      properties={account.group_properties}
      empty={
        <EmptyState title="No properties">
          The event <code>$groupidentify</code> sets them.
        </EmptyState>
      }
    />
  );
}

const uuidOf = ({ uuid }: Person | EventRow): string => uuid;
const nameOf = ({ name }: Person): string => name;
const eventOf = ({ event }: EventRow): string => event;

function PersonsTab({ projectId, account }: AccountProps) {
  const columns = usePersonColumns();
  const [one] = nounOfIndex(useAccountTypes(), account.group_type_index);
  return (
    <EndlessTable
      list={list('/api/projects/{project_id}/groups/{id}/persons', { path: pathOf(projectId, account) })}
      columns={columns}
      table="account-persons"
      noun={['person', 'persons']}
      idOf={uuidOf}
      nameOf={nameOf}
      linkOf={({ uuid }) => `/p/${projectId}/persons/${uuid}`}
      height="420px"
      empty={<EmptyState title={`No person has an event of the ${one}`} />}
    />
  );
}

const eventColumns = (timezone: string): readonly EndlessColumn<EventRow>[] => [
  { id: 'event', label: 'Event', isFixed: true, width: 220, phoneWidth: 145, render: eventOf, titleOf: eventOf },
  {
    id: 'timestamp',
    label: 'Time',
    isDefault: true,
    isForPhone: true,
    isNumber: true,
    width: 200,
    phoneWidth: 180,
    render: ({ timestamp }) => formatTime(timestamp, timezone, { second: '2-digit' }),
    titleOf: ({ timestamp }) => timestamp,
  },
  {
    id: 'distinct_id',
    label: 'Distinct id',
    isDefault: true,
    width: 240,
    render: ({ distinct_id: id }) => id,
    titleOf: ({ distinct_id: id }) => id,
  },
];

function EventsTab({ projectId, account }: AccountProps) {
  const { timezone } = useProject();
  const columns = useMemo(() => eventColumns(timezone), [timezone]);
  return (
    <EndlessTable
      list={list('/api/projects/{project_id}/groups/{id}/events', { path: pathOf(projectId, account) })}
      columns={columns}
      table="account-events"
      noun={['event', 'events']}
      idOf={uuidOf}
      nameOf={eventOf}
      height="420px"
      empty={<EmptyState title="No events" />}
    />
  );
}

/** The cohorts of accounts of which the account is a member now. */
function CohortsTab({ projectId, account }: AccountProps) {
  const [one] = nounOfIndex(useAccountTypes(), account.group_type_index);
  return (
    <Records
      query={pages('/api/projects/{project_id}/groups/{id}/cohorts', { path: pathOf(projectId, account) })}
      what="the cohorts"
      empty={<EmptyState title={`The ${one} is in no cohort`} />}
      head={(count) => formatCount(count, 'cohort')}
    >
      {(cohorts) => (
        <Stack gap="xs">
          {cohorts.map(({ id, name }) => (
            <Anchor key={id} component={Link} to={`/p/${projectId}/cohorts/${id}`} size="sm" fw={600}>
              {name || `Cohort ${id}`}
            </Anchor>
          ))}
        </Stack>
      )}
    </Records>
  );
}

/** The flags that are about accounts of the type. */
function FlagsTab({ projectId, account: { group_key: key, group_type_index: index } }: AccountProps) {
  const type = useAccountTypes().find(({ group_type_index: known }) => known === index)?.group_type;
  const { data, error, refetch } = useQuery(
    answer('/api/projects/{project_id}/feature_flags', {
      path: { project_id: projectId },
      query: { active: true, limit: 1000 },
    }),
  );
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data || type === undefined) return <RecordSkeleton label="Loading the flags" />;
  const about = data.results.filter(({ filters: { aggregation_group_type_index: ofFlag, groups = [] } }) =>
    [ofFlag, ...groups.map(({ aggregation_group_type_index: ofCondition }) => ofCondition)].includes(index),
  );
  return <FlagsOf subject={{ distinctId: key, groups: { [type]: key } }} only={about.map(({ id }) => id)} />;
}

/** Lists who changed the account through the interface, and how. */
function ActivityTab({ projectId, account }: AccountProps) {
  return (
    <Activity
      query={pages('/api/projects/{project_id}/groups/{id}/activity', {
        path: pathOf(projectId, account),
        query: { limit: 30 },
      })}
      empty={
        <EmptyState title="No manual changes yet">
          Changes through the interface are listed with their author.
        </EmptyState>
      }
    />
  );
}
