import { Anchor, Button, Drawer, Group, Loader, ScrollArea, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { getJson } from '../api/client';
import { type Page, type Person } from '../api/types';
import { useOpenProject } from '../app/project-context';
import { formatDay, formatNumber } from './format';
import { ProblemAlert } from './problem-alert';
import { SaveAsCohort } from './save-as-cohort';

export interface PersonsBehind {
  /** What the point is: "order paid, 21 Nov". */
  readonly title: string;
  /** The address of the list, from `/api` on; the service's own list of the persons behind a point. */
  readonly address: string;
  /** The number at the point in words, if it is not the number of its persons: "731 events". */
  readonly number?: string;
  /** What each person adds to the number, where the list has it: "Events". */
  readonly valueLabel?: string;
  /** Other lists behind the same point, one of which is chosen instead of `address`. */
  readonly others?: readonly { readonly label: string; readonly address: string }[];
}

/** A person of a list behind a point. An actor that has only a distinct id and no profile has a negative id. */
export interface PersonBehind extends Person {
  /** Trends: what the person contributes to the number. */
  readonly value_at_data_point?: number;
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
    <Drawer
      opened={behind !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={behind?.title ?? ''}
      styles={{ title: { fontWeight: 600, overflowWrap: 'anywhere' } }}
      closeButtonProps={{ 'aria-label': 'Close the persons' }}
    >
      {behind && <ListsOfPoint key={behind.address} behind={behind} />}
    </Drawer>
  );
}

function ListsOfPoint({ behind }: { readonly behind: PersonsBehind }) {
  const { others = [] } = behind;
  const [address, setAddress] = useState(others[0]?.address ?? behind.address);
  return (
    <Stack gap="sm">
      {behind.number !== undefined && <Text size="sm">{behind.number}</Text>}
      {others.length > 1 && (
        <ScrollArea type="auto">
          <SegmentedControl
            size="xs"
            aria-label="Whose persons"
            data={others.map((other) => ({ value: other.address, label: other.label }))}
            value={address}
            onChange={setAddress}
          />
        </ScrollArea>
      )}
      <PersonsOfAddress key={address} address={address} title={behind.title} valueLabel={behind.valueLabel ?? null} />
    </Stack>
  );
}

function PersonsOfAddress({
  address,
  title,
  valueLabel,
}: {
  readonly address: string;
  readonly title: string;
  readonly valueLabel: string | null;
}) {
  const { project, can } = useOpenProject();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['persons-behind', address],
    queryFn: ({ pageParam, signal }) => getJson<Page<PersonBehind>>(pageParam, signal),
    initialPageParam: address,
    getNextPageParam: ({ next }) => next,
  });
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label="Loading the persons" />;
  const persons = data.pages.flatMap(({ results }) => results);
  const count = data.pages[0]?.count ?? 0;
  const hasValues = valueLabel !== null && persons.some(({ value_at_data_point }) => value_at_data_point !== undefined);
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {formatNumber(count)} {count === 1 ? 'person' : 'persons'}
        </Text>
        {count > 0 && (
          <Group gap="xs">
            {can('cohort:write') && <SaveAsCohort address={address} count={count} suggestedName={title} />}
            <Button
              component="a"
              href={`${address}&format=csv`}
              download="persons.csv"
              size="xs"
              variant="default"
              leftSection={<IconDownload size={14} aria-hidden />}
            >
              Export CSV
            </Button>
          </Group>
        )}
      </Group>
      {count === 0 ? (
        <Text size="sm">There is no person behind this number.</Text>
      ) : (
        <Table highlightOnHover className="numbers">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Person</Table.Th>
              {hasValues && <Table.Th ta="right">{valueLabel}</Table.Th>}
              <Table.Th>First seen</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {persons.map((person) => (
              <PersonRow key={person.id} person={person} hasValue={hasValues} timeZone={project.timezone} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
          <Text size="xs" c="dimmed">
            {formatNumber(persons.length)} of {formatNumber(count)} shown
          </Text>
        </Group>
      )}
    </>
  );
}

function PersonRow({
  person: { id, uuid, name, created_at, value_at_data_point },
  hasValue,
  timeZone,
}: {
  readonly person: PersonBehind;
  readonly hasValue: boolean;
  readonly timeZone: string;
}) {
  const { project } = useOpenProject();
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {id < 0 ? (
          <Text size="sm" title="Only a distinct id is known; there is no person profile.">
            {name}
          </Text>
        ) : (
          <Anchor component={Link} to={`/p/${project.id}/persons/${uuid}`} size="sm">
            {name}
          </Anchor>
        )}
      </Table.Td>
      {hasValue && (
        <Table.Td ta="right">{value_at_data_point === undefined ? '' : formatNumber(value_at_data_point)}</Table.Td>
      )}
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{created_at ? formatDay(created_at, timeZone) : ''}</Table.Td>
    </Table.Tr>
  );
}
