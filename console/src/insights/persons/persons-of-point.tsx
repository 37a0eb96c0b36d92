import { Button, Drawer, ScrollArea, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { type List } from '../../api/client';
import { type PersonOfPoint } from '../../api/types';
import { useOpenProject } from '../../address/project-context';
import { type Actors } from '../actors';
import { Appearances, appearancesText } from './appearances';
import { EndlessTable, type EndlessColumn } from '../../ui/endless-table';
import { formatNumber } from '../../ui/format';
import { useAccountColumns } from '../../filters/account-columns';
import { usePersonColumns } from '../../filters/person-columns';
import { SaveAsCohort } from './save-as-cohort';

export interface PersonsBehind {
  /** Names the point: "order paid, 21 Nov". */
  readonly title: string;
  /** Who is behind the point. */
  readonly actors: Actors;
  readonly list: List<PersonOfPoint>;
  /** The number at the point in words, if it is not the number of its persons: "731 events". */
  readonly number?: string;
  /** Names the number that each person adds, where the list has it: "Events". */
  readonly valueLabel?: string;
  /** The names of the intervals in which each person counts or not, where the list has them. */
  readonly intervals?: readonly string[];
  /** Other lists behind the same point, one of which is chosen instead of `list`. */
  readonly others?: readonly { readonly label: string; readonly list: List<PersonOfPoint> }[];
}

export interface PersonsDrawerProps {
  readonly isOpen: boolean;
  readonly behind: PersonsBehind | null;
  readonly onClose: () => void;
}

/** The persons or accounts behind a point of an insight: every number can be opened. */
export function PersonsOfPoint({ isOpen, behind, onClose }: PersonsDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="lg"
      title={behind?.title ?? ''}
      styles={{ title: { fontWeight: 600, overflowWrap: 'anywhere' } }}
      closeButtonProps={{ 'aria-label': `Close the ${behind?.actors.noun[1]}` }}
    >
      {behind && <ListsOfPoint key={behind.list.address} behind={behind} />}
    </Drawer>
  );
}

function ListsOfPoint({ behind }: { readonly behind: PersonsBehind }) {
  const { others = [] } = behind;
  const [list, setList] = useState(others[0]?.list ?? behind.list);
  return (
    <Stack gap="sm">
      {behind.number !== undefined && <Text size="sm">{behind.number}</Text>}
      {others.length > 1 && (
        <ScrollArea type="auto">
          <SegmentedControl
            size="xs"
            aria-label={`Whose ${behind.actors.noun[1]}`}
            data={others.map((other) => ({ value: other.list.address, label: other.label }))}
            value={list.address}
            onChange={(address) => setList(others.find((other) => other.list.address === address)?.list ?? list)}
          />
        </ScrollArea>
      )}
      <PersonsOfList key={list.address} list={list} behind={behind} />
    </Stack>
  );
}

const idOf = ({ uuid }: PersonOfPoint): string => uuid;
const nameOf = ({ name }: PersonOfPoint): string => name;

function PersonsOfList({ list, behind }: Pick<PersonsBehind, 'list'> & { readonly behind: PersonsBehind }) {
  const { project, can } = useOpenProject();
  const columns = useColumns(behind);
  const { actors } = behind;
  const { noun, groupType } = actors;
  const page = groupType === null ? 'persons' : 'accounts';
  return (
    <EndlessTable
      list={list}
      columns={columns}
      idOf={idOf}
      nameOf={nameOf}
      // Who has no record has a negative id, and no page.
      linkOf={({ id, uuid }) => (id < 0 ? undefined : `/p/${project.id}/${page}/${groupType === null ? uuid : id}`)}
      table={groupType === null ? 'persons-behind' : `accounts-behind-${groupType}`}
      noun={noun}
      height="calc(100dvh - 170px)"
      empty={<Text size="sm">There is no {noun[0]} behind this number.</Text>}
      actionsOf={(count) =>
        count > 0 && (
          <>
            {can('cohort:write') && (
              <SaveAsCohort list={list} count={count} suggestedName={behind.title} actors={actors} />
            )}
            <Button
              component="a"
              href={`${list.address}&format=csv`}
              download
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

/** First what the list says of the point, then what every list of persons, or of these accounts, can show. */
const useColumns = ({
  actors: { groupType },
  valueLabel,
  intervals,
}: PersonsBehind): readonly EndlessColumn<PersonOfPoint>[] => {
  const persons = usePersonColumns();
  const accounts = useAccountColumns(groupType);
  return useMemo(() => {
    const own: EndlessColumn<PersonOfPoint>[] = [];
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
    const [name, ...others] = groupType === null ? persons : accounts;
    const first = others.map((column) => ({ ...column, isDefault: column.id === 'created_at' }));
    return [...(name ? [{ ...name, width: 220, titleOf: nameTitle }] : []), ...own, ...first];
  }, [persons, accounts, groupType, valueLabel, intervals]);
};

const nameTitle = ({ id, name, type }: PersonOfPoint): string =>
  id < 0 && type !== 'group' ? `${name}: only a distinct id is known; there is no person profile.` : name;
