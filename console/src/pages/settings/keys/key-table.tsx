import { ActionIcon, Badge, Code, Group, Table, Text, Tooltip } from '@mantine/core';
import { IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectsQuery } from '../../../api/accounts';
import { useOpenProject } from '../../../address/project-context';
import { CardTable, type Head } from '../../../ui/card-table';
import { formatAgo, formatDay, formatTime } from '../../../ui/format';
import { type Key } from '../../../api/accounts';
import { RevokeKey } from './revoke-key';

const heads: readonly Head[] = [
  { label: 'Label' },
  { label: 'Scopes' },
  { label: 'Projects' },
  { label: 'Last used' },
  { label: 'Expires' },
];

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly onRotate: (key: Key) => void;
}

export function KeyTable({ keys, onRotate }: KeyTableProps) {
  const { project, can } = useOpenProject();
  const projects = useQuery(projectsQuery);
  const [revoked, setRevoked] = useState<Key | null>(null);
  const nameOf = (id: number): string =>
    projects.data?.results.find((known) => known.id === id)?.name ?? `Project ${id}`;
  return (
    <>
      <CardTable minWidth={760} heads={heads} buttons={84}>
        {keys.map((key) => (
          <Table.Tr key={key.id}>
            <Table.Td maw={220}>
              <Text size="sm" truncate title={key.label}>
                {key.label}
              </Text>
              <Code>{key.mask_value}</Code>
              {key.previous_value_until !== null && new Date(key.previous_value_until) > new Date() && (
                <Text size="xs" c="dimmed">
                  The previous secret works until {formatTime(key.previous_value_until, project.timezone)}
                </Text>
              )}
            </Table.Td>
            <Table.Td maw={280}>
              <Group gap={4}>
                {key.scopes.map((scope) => (
                  <Badge key={scope} size="sm" variant="default" tt="none">
                    {scope === '*' ? 'everything (*)' : scope}
                  </Badge>
                ))}
              </Group>
            </Table.Td>
            <Table.Td>{key.scoped_projects === null ? 'All' : key.scoped_projects.map(nameOf).join(', ')}</Table.Td>
            <Table.Td title="Accurate to the hour">
              {key.last_used_at === null ? 'Never' : formatAgo(key.last_used_at)}
            </Table.Td>
            <Table.Td>{key.expires_at === null ? 'Never' : formatDay(key.expires_at, project.timezone)}</Table.Td>
            <Table.Td ta="right">
              {can('api_key:write') && (
                <Group gap={2} wrap="nowrap" justify="flex-end">
                  <Tooltip label="Rotate: a new secret">
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Rotate the key ${key.label}`}
                      onClick={() => onRotate(key)}
                    >
                      <IconRefresh size={17} />
                    </ActionIcon>
                  </Tooltip>
                  <Tooltip label="Revoke">
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Revoke the key ${key.label}`}
                      onClick={() => setRevoked(key)}
                    >
                      <IconTrash size={17} />
                    </ActionIcon>
                  </Tooltip>
                </Group>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </CardTable>
      {revoked && (
        <RevokeKey
          keyToRevoke={revoked}
          made={keys.filter(({ created_by_key_id }) => created_by_key_id === revoked.id)}
          onClose={() => setRevoked(null)}
        />
      )}
    </>
  );
}
