import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { CardTable, type Head } from '../../ui/card-table';
import { formatAgo, formatNumber } from '../../ui/format';
import { type CatalogueEntry, type CatalogueKind } from './entry';

interface CatalogueTableProps {
  readonly kind: CatalogueKind;
  readonly entries: readonly CatalogueEntry[];
  readonly onOpen: (entry: CatalogueEntry) => void;
}

const usesOf = ({ used_by: { cohorts, insights, actions } }: CatalogueEntry): number =>
  cohorts.length + insights.length + actions.length;

const volumeOf = (entry: CatalogueEntry): number | null =>
  'persons' in entry && entry.kind === 'person' ? entry.persons : entry.volume_30_days;

const headsOf = (kind: CatalogueKind): readonly Head[] => [
  { label: 'Name', w: '28%' },
  { label: 'Description' },
  ...(kind === 'events' ? [] : [{ label: 'Types', w: 130 }]),
  { label: kind === 'person' ? 'Persons' : 'In 30 days', w: 130, ta: 'right' },
  ...(kind === 'person' ? [] : [{ label: 'Last seen', w: 130 }]),
  { label: 'Used by', w: 90, ta: 'right' },
];

export function CatalogueTable({ kind, entries, onOpen }: CatalogueTableProps) {
  return (
    <CardTable minWidth={640} heads={headsOf(kind)} highlightOnHover layout="fixed">
      {entries.map((entry) => {
        const volume = volumeOf(entry);
        return (
          <Table.Tr key={entry.name}>
            <Table.Td>
              <Anchor
                component="button"
                type="button"
                size="sm"
                ta="left"
                maw="100%"
                truncate
                title={entry.name}
                onClick={() => onOpen(entry)}
              >
                {entry.name}
              </Anchor>
            </Table.Td>
            <Table.Td>
              <Text size="sm" lineClamp={2}>
                {entry.description}
              </Text>
            </Table.Td>
            {kind !== 'events' && (
              <Table.Td>
                <Group gap={4}>
                  {('types' in entry ? entry.types : []).map((type) => (
                    <Badge key={type} size="sm" variant="default" tt="none">
                      {type}
                    </Badge>
                  ))}
                </Group>
              </Table.Td>
            )}
            <Table.Td ta="right" className="numbers">
              {volume === null ? '' : formatNumber(volume)}
            </Table.Td>
            {kind !== 'person' && <Table.Td>{entry.last_seen === null ? '' : formatAgo(entry.last_seen)}</Table.Td>}
            <Table.Td ta="right" className="numbers">
              {formatNumber(usesOf(entry))}
            </Table.Td>
          </Table.Tr>
        );
      })}
    </CardTable>
  );
}
