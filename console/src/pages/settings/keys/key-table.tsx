import { ActionIcon, Badge, Code, Group, Table, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectsQuery } from '../../../app/account';
import { useOpenProject } from '../../../app/project-context';
import { formatAgo, formatDay } from '../../../ui/format';
import { type Key } from './keys-section';
import { RevokeKey } from './revoke-key';

export function KeyTable({ keys }: { keys: readonly Key[] }) {
  const { project, can } = useOpenProject();
  const projects = useQuery(projectsQuery);
  const [revoked, setRevoked] = useState<Key | null>(null);
  const nameOf = (id: number): string =>
    projects.data?.results.find((known) => known.id === id)?.name ?? `Project ${id}`;
  return (
    <>
      <Table.ScrollContainer minWidth={760} type="native">
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Label</Table.Th>
              <Table.Th>Scopes</Table.Th>
              <Table.Th>Projects</Table.Th>
              <Table.Th>Last used</Table.Th>
              <Table.Th>Expires</Table.Th>
              <Table.Th aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.map((key) => (
              <Table.Tr key={key.id}>
                <Table.Td maw={220}>
                  <Text size="sm" truncate title={key.label}>
                    {key.label}
                  </Text>
                  <Code>{key.mask_value}</Code>
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
                <Table.Td title="Precise to the hour">
                  {key.last_used_at === null ? 'Never' : formatAgo(key.last_used_at)}
                </Table.Td>
                <Table.Td>{key.expires_at === null ? 'Never' : formatDay(key.expires_at, project.timezone)}</Table.Td>
                <Table.Td ta="right">
                  {can('api_key:write') && (
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Revoke the key ${key.label}`}
                      onClick={() => setRevoked(key)}
                    >
                      <IconTrash size={17} />
                    </ActionIcon>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
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
