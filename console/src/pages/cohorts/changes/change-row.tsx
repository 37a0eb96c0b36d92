import { Anchor, Badge, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { answer } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { useProject } from '../../../address/project-context';
import { capital } from '../../../filters/account-words';
import { useActors } from '../../../insights/actors';
import { formatAgo, formatTime, type Noun } from '../../../ui/format';
import { useWasSeen } from '../../../ui/use-was-seen';

export type Change = Schemas['CohortChangeDto'] | Schemas['CohortGroupChangeDto'];

const reasonsOf = ([one]: Noun): Readonly<Record<Change['reason'], string>> => ({
  calculated: 'by a calculation',
  redefined: 'by a new definition',
  uploaded: 'by an upload',
  added: 'added by hand',
  removed: 'removed by hand',
  merged: 'by a merge of persons',
  split: 'by a split of persons',
  deleted: `the ${one} was deleted`,
  snapshot: 'a member from the beginning',
});

export function ChangeRow({ projectId, change }: { readonly projectId: string; readonly change: Change }) {
  const { timezone } = useProject();
  const [ref, wasSeen] = useWasSeen<HTMLTableRowElement>();
  const { noun } = useActors();
  const { at } = change;
  const hasEntered = change.change === 'entered';
  return (
    <Table.Tr ref={ref}>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {'group' in change ? (
          <ChangedAccount projectId={projectId} account={change.group} />
        ) : (
          <ChangedPerson projectId={projectId} person={change.person} isOnScreen={wasSeen} />
        )}
      </Table.Td>
      <Table.Td>
        <Badge variant="dot" tt="none" miw="max-content" color={hasEntered ? 'teal' : 'orange'}>
          {hasEntered ? 'Entered' : 'Left'}
        </Badge>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{reasonsOf(noun)[change.reason]}</Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm" component="time" dateTime={at} title={at}>
          {formatTime(at, timezone)}{' '}
          <Text span size="xs" c="dimmed">
            ({formatAgo(at)})
          </Text>
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

interface ChangedPersonProps {
  readonly projectId: string;
  readonly person: Schemas['CohortChangeDto']['person'];
  readonly isOnScreen: boolean;
}

function ChangedPerson({ projectId, person: { id, uuid }, isOnScreen }: ChangedPersonProps) {
  if (uuid === null) return <Deleted>Person {id}, deleted since</Deleted>;
  return (
    <Anchor component={Link} to={`/p/${projectId}/persons/${uuid}`} size="sm" fw={600}>
      <PersonName projectId={projectId} id={id} uuid={uuid} isOnScreen={isOnScreen} />
    </Anchor>
  );
}

interface ChangedAccountProps {
  readonly projectId: string;
  readonly account: Schemas['CohortGroupChangeDto']['group'];
}

function ChangedAccount({ projectId, account: { id, group_key: key } }: ChangedAccountProps) {
  const [one] = useActors().noun;
  if (key === null)
    return (
      <Deleted>
        {capital(one)} {id}, deleted since
      </Deleted>
    );
  return (
    <Anchor component={Link} to={`/p/${projectId}/accounts/${id}`} size="sm" fw={600}>
      {key}
    </Anchor>
  );
}

function Deleted({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

interface PersonNameProps {
  readonly projectId: string;
  readonly id: number;
  readonly uuid: string;
  readonly isOnScreen: boolean;
}

/** Changes have ids only. The name of a person is requested when it comes into view; a merged person has none. */
function PersonName({ projectId, id, uuid, isOnScreen }: PersonNameProps): ReactNode {
  const { data } = useQuery({
    ...answer('/api/projects/{project_id}/persons', { path: { project_id: projectId }, query: { uuid, limit: 1 } }),
    select: ({ results }) => results[0]?.name ?? null,
    enabled: isOnScreen,
    staleTime: 60_000,
  });
  return data ?? `Person ${id}${data === null ? ', merged since' : ''}`;
}
