import { Anchor, Button, Drawer, Group, Loader, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getJson } from '../api/client';
import { type Page, type Person } from '../api/types';
import { useProject } from '../app/project-context';
import { formatDay, formatNumber } from './format';
import { ProblemAlert } from './problem-alert';

export interface PersonsBehind {
  /** What the point is: "order paid, 21 Nov". */
  readonly title: string;
  /** The address of the list, from `/api` on; the service's own list of the persons behind a point. */
  readonly address: string;
}

/** The persons behind a point of an insight: every number can be opened. */
export function PersonsDrawer({
  behind,
  onClose,
}: {
  readonly behind: PersonsBehind | null;
  readonly onClose: () => void;
}) {
  return (
    <Drawer opened={behind !== null} onClose={onClose} position="right" size="lg" title={behind?.title ?? ''}>
      {behind && <PersonsOfPoint behind={behind} />}
    </Drawer>
  );
}

function PersonsOfPoint({ behind }: { readonly behind: PersonsBehind }) {
  const project = useProject();
  const projectId = String(project.id);
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['persons-behind', behind.address],
    queryFn: ({ pageParam, signal }) => getJson<Page<Person>>(pageParam, signal),
    initialPageParam: behind.address,
    getNextPageParam: ({ next }) => next,
  });
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label="Loading the persons" />;
  const persons = data.pages.flatMap(({ results }) => results);
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {formatNumber(data.pages[0]?.count ?? 0)} persons
      </Text>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Person</Table.Th>
            <Table.Th>First seen</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {persons.map(({ uuid, name, created_at }) => (
            <Table.Tr key={uuid}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Anchor component={Link} to={`/p/${projectId}/persons/${uuid}`} size="sm">
                  {name}
                </Anchor>
              </Table.Td>
              <Table.Td>{created_at ? formatDay(created_at, project.timezone) : ''}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </Stack>
  );
}
