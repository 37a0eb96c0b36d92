import { Anchor, Badge, Button, Group, Table, Text } from '@mantine/core';
import { type CatalogueEntry } from '../../api/catalogue';
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

export function CatalogueTable({ kind, entries, onOpen, onMore, isLoading }: CatalogueTableProps) {
  return (
    <>
      <Table.ScrollContainer minWidth={340} type="native">
        <Table highlightOnHover verticalSpacing="xs" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={{ base: 150, sm: '28%' }}>Name</Table.Th>
              <Table.Th visibleFrom="sm">Description</Table.Th>
              {kind !== 'events' && <Table.Th w={130}>Types</Table.Th>}
              <Table.Th w={{ base: 100, sm: 130 }} ta="right">
                {kind === 'person' ? 'Persons' : 'In 30 days'}
              </Table.Th>
              {kind !== 'person' && <Table.Th w={{ base: 105, sm: 130 }}>Last seen</Table.Th>}
              <Table.Th w={90} ta="right">
                Used by
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
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
                  <Table.Td visibleFrom="sm">
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
                  {kind !== 'person' && (
                    <Table.Td>{entry.last_seen === null ? '' : formatAgo(entry.last_seen)}</Table.Td>
                  )}
                  <Table.Td ta="right" className="numbers">
                    {formatNumber(usesOf(entry))}
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
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
