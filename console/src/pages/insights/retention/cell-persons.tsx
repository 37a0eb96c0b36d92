import { Anchor, Button, Drawer, Group, Loader, Stack, Table, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { getJson } from '../../../api/client';
import { type Page, type Person } from '../../../api/types';
import { useOpenProject } from '../../../app/project-context';
import { formatNumber } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';
import { SaveAsCohort } from '../../../ui/save-as-cohort';
import { addressOf, type Params } from '../question/params';
import classes from './cell-persons.module.css';

export interface OpenCell {
  readonly row: number;
  /** How many intervals after the beginning. */
  readonly later: number;
  readonly count: number;
  readonly title: string;
  readonly labels: readonly string[];
}

interface Returning extends Person {
  readonly appearances: readonly number[];
}

const pageSize = 1000;
const shownAtOnce = 100;

/** All persons who began in the row, page by page, of whom those who count in the cell are taken. */
const personsOfCell = async (address: string, later: number, signal: AbortSignal) => {
  const persons: Returning[] = [];
  let all = 0;
  let next: string | null = address;
  while (next !== null) {
    const page: Page<Returning> = await getJson<Page<Returning>>(next, signal);
    persons.push(...page.results.filter(({ appearances }) => appearances[later] === 1));
    all = page.count;
    next = page.next;
  }
  return { persons, all };
};

/** The persons behind a cell, each with the intervals in which it came back. */
export function CellPersons({
  cell,
  params,
  onClose,
}: {
  readonly cell: OpenCell | null;
  readonly params: Params;
  readonly onClose: () => void;
}) {
  return (
    <Drawer
      opened={cell !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={cell?.title ?? ''}
      styles={{ title: { fontWeight: 600, overflowWrap: 'anywhere' } }}
      closeButtonProps={{ 'aria-label': 'Close the persons' }}
    >
      {cell && <List key={`${cell.row} ${cell.later}`} cell={cell} params={params} />}
    </Drawer>
  );
}

function List({ cell: { row, later, labels, title }, params }: { readonly cell: OpenCell; readonly params: Params }) {
  const { project, can } = useOpenProject();
  const projectId = String(project.id);
  const [shown, setShown] = useState(shownAtOnce);
  const address = addressOf(projectId, 'retention', {
    ...params,
    selected_interval: row,
    include: 'persons',
  });
  const { data, error, refetch } = useQuery({
    queryKey: ['retention-cell', address, later],
    queryFn: ({ signal }) => personsOfCell(`${address}&limit=${pageSize}`, later, signal),
  });
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader aria-label="Loading the persons" />;
  const { persons, all } = data;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {formatNumber(persons.length)} {persons.length === 1 ? 'person' : 'persons'}
          {later > 0 && ` of the ${formatNumber(all)} who began`}
        </Text>
        {later === 0 && (
          // The list of the service has all who began, and not only those of a later cell.
          <Group gap="xs">
            {can('cohort:write') && <SaveAsCohort address={address} count={all} suggestedName={title} />}
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
      <Table highlightOnHover className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Person</Table.Th>
            <Table.Th>
              {labels[0]} to {labels[(persons[0]?.appearances.length ?? 1) - 1]}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {persons.slice(0, shown).map((person) => (
            <Table.Tr key={person.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {person.id < 0 ? (
                  <Text size="sm" title="Only a distinct id is known; there is no person profile.">
                    {person.name}
                  </Text>
                ) : (
                  <Anchor component={Link} to={`/p/${projectId}/persons/${person.uuid}`} size="sm">
                    {person.name}
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td>
                <Appearances person={person} labels={labels} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {persons.length > shown && (
        <Group>
          <Button variant="default" onClick={() => setShown(shown + shownAtOnce)}>
            Show more
          </Button>
          <Text size="xs" c="dimmed">
            {formatNumber(shown)} of {formatNumber(persons.length)} shown
          </Text>
        </Group>
      )}
    </Stack>
  );
}

/** A square for each interval, which is filled if the person counts there. */
function Appearances({ person, labels }: { readonly person: Returning; readonly labels: readonly string[] }) {
  const text = labels.filter((_, at) => person.appearances[at] === 1).join(', ');
  return (
    <div className={classes.strip} role="img" aria-label={text} title={text}>
      {person.appearances.map((is, at) => (
        <span key={at} className={is === 1 ? `${classes.square} ${classes.filled}` : classes.square} />
      ))}
    </div>
  );
}
