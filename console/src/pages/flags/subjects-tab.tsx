import { Alert, Anchor, Code, Group, Paper, Skeleton, Stack, Table, Text } from '@mantine/core';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pages } from '../../api/client';
import { type Person } from '../../api/types';
import { useProject } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { capital, nounOfIndex } from '../../filters/account-words';
import { useAccountTypes } from '../../filters/account-types';
import { FlagReason, FlagValue, flagDecisionsQuery, knownBy, type FlagSubject } from '../../filters/flag-decisions';
import { CardTable } from '../../ui/card-table';
import { EmptyState } from '../../ui/empty-state';
import { formatCount } from '../../ui/format';
import { Records } from '../../ui/records';
import { SearchInput } from '../../ui/search-input';
import { type FlagProps } from './flag';

/** A decision is a request of its own, so a page has few of them. */
const perPage = 20;

/** What persons, or accounts, get at this moment, and why. */
export function SubjectsTab({ projectId, flag }: FlagProps) {
  const groupType = flag.filters.aggregation_group_type_index ?? null;
  const [one, many] = useNoun(groupType);
  if (!flag.active) return <EmptyState title="The flag is off">Turn it on to see what each {one} gets.</EmptyState>;
  return (
    <Stack gap="sm">
      <Group>
        <SearchInput
          aria-label={`Search ${many}`}
          placeholder={groupType === null ? 'Name, e-mail or id' : 'Name or key'}
        />
      </Group>
      {groupType === null ? (
        <Persons projectId={projectId} flag={flag} />
      ) : (
        <Accounts projectId={projectId} flag={flag} groupType={groupType} />
      )}
    </Stack>
  );
}

const useNoun = (groupType: number | null) => {
  const types = useAccountTypes();
  return groupType === null ? (['person', 'persons'] as const) : nounOfIndex(types, groupType);
};

const useSearch = (): string | undefined => textOf(useQuestion()[0]['search']) || undefined;

function Persons({ projectId, flag }: FlagProps) {
  const search = useSearch();
  return (
    <Records
      query={{
        ...pages('/api/projects/{project_id}/persons', {
          path: { project_id: projectId },
          query: { limit: perPage, search },
        }),
        placeholderData: keepPreviousData,
      }}
      what="the persons"
      empty={<EmptyState kind="search" title="No person matches" />}
      head={(count) => formatCount(count, 'person')}
    >
      {(persons) => (
        <>
          <AskedAsWritten flagKey={flag.key} persons={persons} />
          <Decisions
            flagKey={flag.key}
            head="Person"
            rows={persons.map(({ uuid, name, distinct_ids: ids }) => ({
              id: uuid,
              name,
              path: `/p/${projectId}/persons/${uuid}?tab=flags`,
              note: knownBy(ids),
              subject: { distinctId: knownBy(ids) },
            }))}
          />
        </>
      )}
    </Records>
  );
}

/** Code that asks with an e-mail address asks about a stranger, unless the address is a distinct id, too. */
function AskedAsWritten({ flagKey, persons }: { readonly flagKey: string; readonly persons: readonly Person[] }) {
  const { id: projectId, api_token: token } = useProject();
  const id = useSearch()?.trim() ?? '';
  const meant = persons.find(
    ({ properties: { email } }) => typeof email === 'string' && email.toLowerCase() === id.toLowerCase(),
  );
  const { data } = useQuery({
    ...flagDecisionsQuery(token, { distinctId: id }, [flagKey]),
    enabled: meant !== undefined && !meant.distinct_ids.includes(id),
  });
  const decision = data?.flags[flagKey];
  if (!meant || !decision) return null;
  return (
    <Alert color="blue" title={`${id} is an e-mail address, not a distinct id`}>
      <Text size="sm">
        The flag decides by distinct id. Code that asks for{' '}
        <Anchor component={Link} to={`/p/${projectId}/persons/${meant.uuid}?tab=flags`} size="sm">
          {meant.name}
        </Anchor>{' '}
        with <Code>{knownBy(meant.distinct_ids)}</Code> gets what is below. With <Code>{id}</Code> it gets{' '}
        <b>{decision.variant ?? (decision.enabled ? 'on' : 'off')}</b>: {decision.reason.description}.
      </Text>
    </Alert>
  );
}

function Accounts({ projectId, flag, groupType }: FlagProps & { readonly groupType: number }) {
  const search = useSearch();
  const types = useAccountTypes();
  const type = types.find(({ group_type_index: index }) => index === groupType)?.group_type ?? '';
  const [one, many] = nounOfIndex(types, groupType);
  return (
    <Records
      query={{
        ...pages('/api/projects/{project_id}/groups', {
          path: { project_id: projectId },
          query: { group_type_index: groupType, limit: perPage, search },
        }),
        placeholderData: keepPreviousData,
      }}
      what={`the ${many}`}
      empty={<EmptyState title={`No ${one} matches`} />}
      head={(count) => formatCount(count, one, many)}
    >
      {(accounts) => (
        <Decisions
          flagKey={flag.key}
          head={capital(one)}
          rows={accounts.map(({ id, name, group_key: key }) => ({
            id: String(id),
            name,
            path: `/p/${projectId}/accounts/${id}`,
            note: key,
            subject: { distinctId: key, groups: { [type]: key } },
          }))}
        />
      )}
    </Records>
  );
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly note: string;
  readonly subject: FlagSubject;
}

function Decisions({
  flagKey,
  head,
  rows,
}: {
  readonly flagKey: string;
  readonly head: string;
  readonly rows: readonly Row[];
}) {
  const { api_token: token } = useProject();
  const decisions = useQueries({ queries: rows.map(({ subject }) => flagDecisionsQuery(token, subject, [flagKey])) });
  return (
    <Paper withBorder>
      <CardTable
        minWidth={640}
        heads={[{ label: head }, { label: 'Gets', w: 180 }, { label: 'Why' }]}
        aria-label="Who gets what"
        highlightOnHover
      >
        {rows.map(({ id, name, path, note }, at) => {
          const { data, error } = decisions[at] ?? {};
          const decision = data?.flags[flagKey];
          return (
            <Table.Tr key={id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Anchor component={Link} to={path} size="sm" fw={550}>
                  {name}
                </Anchor>
                {note !== name && (
                  <Text size="xs" c="dimmed">
                    {note}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{decision ? <FlagValue {...decision} /> : !error && <Skeleton h={20} w={60} />}</Table.Td>
              <Table.Td>
                {decision && <FlagReason {...decision} />}
                {error && (
                  <Text size="sm" c="var(--mantine-color-error)">
                    {error.message}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          );
        })}
      </CardTable>
    </Paper>
  );
}
