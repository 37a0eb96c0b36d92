import { Anchor, Badge, Button, Group, Table, Text } from '@mantine/core';
import { type CatalogueEntry } from '../../api/catalogue';
import { CardTable, type Head } from '../../ui/card-table';
import { formatAgo, formatNumber } from '../../ui/format';
import { type CatalogueKind } from './catalogue-page';

interface CatalogueTableProps {
  readonly kind: CatalogueKind;
  readonly entries: readonly CatalogueEntry[];
  readonly onOpen: (entry: CatalogueEntry) => void;
  readonly onMore: (() => void) | null;
  readonly isLoading: boolean;
}

const usesOf = ({ used_by: { cohorts, insights, actions } }: CatalogueEntry): number =>
  cohorts.length + insights.length + actions.length;

const volumeOf = (kind: CatalogueKind, { volume_30_days, persons }: CatalogueEntry): number | null =>
  (kind === 'person' ? persons : volume_30_days) ?? null;

const headsOf = (kind: CatalogueKind): readonly Head[] => [
  { label: 'Name', w: '28%' },
  { label: 'Description' },
  ...(kind === 'events' ? [] : [{ label: 'Types', w: 130 }]),
  { label: kind === 'person' ? 'Persons' : 'In 30 days', w: 130, ta: 'right' },
  ...(kind === 'person' ? [] : [{ label: 'Last seen', w: 130 }]),
  { label: 'Used by', w: 90, ta: 'right' },
];

export function CatalogueTable({ kind, entries, onOpen, onMore, isLoading }: CatalogueTableProps) {
  return (
    <>
      <CardTable minWidth={640} heads={headsOf(kind)} highlightOnHover layout="fixed">
        {entries.map((entry) => {
          const volume = volumeOf(kind, entry);
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
                <Text size="sm" c={entry.description === '' ? 'dimmed' : undefined} lineClamp={2}>
                  {entry.description === '' ? '—' : entry.description}
                </Text>
              </Table.Td>
              {kind !== 'events' && (
                <Table.Td>
                  <Group gap={4}>
                    {entry.types?.map((type) => (
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
      {onMore && (
        <Group p="sm">
          <Button variant="default" loading={isLoading} onClick={onMore}>
            Show more
          </Button>
        </Group>
      )}
    </>
  );
}
