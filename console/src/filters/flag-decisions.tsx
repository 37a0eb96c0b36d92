import { Anchor, Badge, Code, Skeleton, Stack, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { api, bodyOf, keyOf } from '../api/client';
import { useProject } from '../address/project-context';
import { CardTable } from '../ui/card-table';
import { EmptyState } from '../ui/empty-state';
import { ProblemAlert } from '../ui/problem-alert';
import { cohortNameIn, useCohorts } from './cohorts';

/** Whom a flag is decided for. */
export interface FlagSubject {
  readonly distinctId: string;
  /** The keys of accounts by the names of their types. */
  readonly groups?: Readonly<Record<string, string>>;
}

type Answered = Awaited<ReturnType<typeof decisionsOf>>;
export type FlagDecision = Answered['flags'][string];

/** The shape of ids that SDKs generate. */
const generated = /^[a-z0-9]+(-[a-z0-9]+){4}$/;

/** The distinct id by which the preview of a flag counts a person: the first that looks chosen. */
export const knownBy = (ids: readonly string[]): string => ids.find((id) => !generated.test(id)) ?? ids[0] ?? '';

const decisionsOf = (
  token: string,
  { distinctId, groups = {} }: FlagSubject,
  keys: readonly string[] | null,
  signal: AbortSignal,
) =>
  bodyOf(
    api.POST('/flags', {
      params: { query: { v: '2' } },
      body: {
        token,
        distinct_id: distinctId,
        groups,
        ...(keys !== null && { flag_keys_to_evaluate: [...keys] }),
      },
      signal,
    }),
  );

/** What the service decides at this moment, as it does for SDKs. Without keys, about all flags that are on. */
export const flagDecisionsQuery = (token: string, subject: FlagSubject, keys: readonly string[] | null) => ({
  queryKey: keyOf('/flags', token, subject, keys),
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => decisionsOf(token, subject, keys, signal),
  // A change of a flag counts within a second.
  staleTime: 1000,
});

interface FlagsOfProps {
  readonly subject: FlagSubject;
  /** The ids of the flags that concern it; without them, all that can be decided for it. */
  readonly only?: readonly number[];
  readonly children?: ReactNode;
}

/** What one person or account gets of all flags that are on, and why. */
export function FlagsOf({ subject, only, children }: FlagsOfProps) {
  const { id: projectId, api_token: token } = useProject();
  const { data, error, refetch } = useQuery({
    ...flagDecisionsQuery(token, subject, null),
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={160} role="status" aria-label="Loading the flags" />;
  const decisions = Object.values(data.flags).filter(
    ({ reason, metadata }) => reason.code !== 'no_group_type' && (only?.includes(metadata.id) ?? true),
  );
  if (decisions.length === 0) return <EmptyState title="No active flag applies" />;
  return (
    <Stack gap="sm">
      {children}
      <CardTable
        minWidth={640}
        heads={[{ label: 'Flag' }, { label: 'Gets', w: 180 }, { label: 'Why' }, { label: 'Payload' }]}
        aria-label="Flags"
        highlightOnHover
      >
        {decisions.map((decision) => (
          <Table.Tr key={decision.key}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Anchor
                component={Link}
                to={`/p/${projectId}/flags/${decision.metadata.id}`}
                size="sm"
                fw={550}
                ff="monospace"
              >
                {decision.key}
              </Anchor>
            </Table.Td>
            <Table.Td>
              <FlagValue {...decision} />
            </Table.Td>
            <Table.Td>
              <FlagReason {...decision} />
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {decision.metadata.payload !== null && <Code>{decision.metadata.payload}</Code>}
            </Table.Td>
          </Table.Tr>
        ))}
      </CardTable>
    </Stack>
  );
}

/** The value that code gets. */
export function FlagValue({ enabled, variant }: Pick<FlagDecision, 'enabled' | 'variant'>) {
  return (
    <Badge variant="dot" color={enabled ? 'teal' : 'gray'} tt="none" maw={220} title={variant ?? undefined}>
      {variant ?? (enabled ? 'on' : 'off')}
    </Badge>
  );
}

/** Says which condition decided, with which members of cohorts. */
export function FlagReason({ reason, metadata }: Pick<FlagDecision, 'reason' | 'metadata'>) {
  const nameOf = cohortNameIn(useCohorts());
  const { cohorts = [] } = metadata;
  return (
    <>
      <Text size="sm">{reason.description}</Text>
      {cohorts.length > 0 && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Compared with the members of{' '}
          {cohorts
            .map(({ id, version }) =>
              version === null ? `${nameOf(id)}: not calculated yet` : `${nameOf(id)}, version ${version}`,
            )
            .join(' · ')}
        </Text>
      )}
    </>
  );
}
