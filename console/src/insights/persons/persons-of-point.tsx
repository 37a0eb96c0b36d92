import { Button, Drawer, ScrollArea, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { type Person } from '../../api/types';
import { useOpenProject } from '../../address/project-context';
import { Appearances, appearancesText } from './appearances';
import { EndlessTable, type EndlessColumn } from '../../ui/endless-table';
import { formatNumber } from '../../ui/format';
import { usePersonColumns } from '../../filters/person-columns';
import { type PersonsBehind, type PersonsDrawerProps } from './persons-drawer';
import { SaveAsCohort } from './save-as-cohort';

/** A person of a list behind a point. An actor that has only a distinct id and no profile has a negative id. */
interface PersonBehind extends Person {
  /** Trends: what the person contributes to the number. */
  readonly value_at_data_point?: number;
  /** Retention: 1 for each interval in which the person counts. */
  readonly appearances?: readonly number[];
}

/** The persons behind a point of an insight: every number can be opened. */
export function PersonsOfPoint({ isOpen, behind, onClose }: PersonsDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
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
      <PersonsOfAddress key={address} address={address} behind={behind} />
    </Stack>
  );
}

const queryKey = ['persons-behind'];
const idOf = ({ uuid }: PersonBehind): string => uuid;
const nameOf = ({ name }: PersonBehind): string => name;

function PersonsOfAddress({ address, behind }: { readonly address: string; readonly behind: PersonsBehind }) {
  const { project, can } = useOpenProject();
  const columns = useColumns(behind);
  return (
    <EndlessTable<PersonBehind>
      address={address}
      queryKey={queryKey}
      columns={columns}
      idOf={idOf}
      nameOf={nameOf}
      linkOf={({ id, uuid }) => (id < 0 ? undefined : `/p/${project.id}/persons/${uuid}`)}
      table="persons-behind"
      noun={['person', 'persons']}
      height="calc(100dvh - 170px)"
      empty={<Text size="sm">There is no person behind this number.</Text>}
      actionsOf={(count) =>
        count > 0 && (
          <>
            {can('cohort:write') && <SaveAsCohort address={address} count={count} suggestedName={behind.title} />}
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
          </>
        )
      }
    />
  );
}

const squareWidth = 15;

/** First what the list says of the point, then what every list of persons can show. */
const useColumns = ({ valueLabel, intervals }: PersonsBehind): readonly EndlessColumn<PersonBehind>[] => {
  const persons = usePersonColumns();
  return useMemo(() => {
    const own: EndlessColumn<PersonBehind>[] = [];
    if (valueLabel !== undefined)
      own.push({
        id: 'value',
        label: valueLabel,
        isDefault: true,
        isNumber: true,
        width: 110,
        render: ({ value_at_data_point: value }) => (value === undefined ? '' : formatNumber(value)),
      });
    if (intervals !== undefined)
      own.push({
        id: 'appearances',
        label: `${intervals[0]} to ${intervals.at(-1)}`,
        isDefault: true,
        width: Math.min(400, Math.max(110, 20 + intervals.length * squareWidth)),
        render: ({ appearances = [] }) => <Appearances appearances={appearances} labels={intervals} />,
        titleOf: ({ appearances = [] }) => appearancesText(appearances, intervals),
      });
    const [name, ...others] = persons;
    const first = others.map((column) => ({ ...column, isDefault: column.id === 'created_at' }));
    return [...(name ? [{ ...name, width: 220, titleOf: nameTitle }] : []), ...own, ...first];
  }, [persons, valueLabel, intervals]);
};

const nameTitle = ({ id, name }: PersonBehind): string =>
  id < 0 ? `${name}: only a distinct id is known; there is no person profile.` : name;
