import { Table, Text } from '@mantine/core';
import { type ReactNode } from 'react';
import { Value } from './value';

interface PropertiesTableProps {
  readonly properties: object;
  /** Replaces an empty table. */
  readonly empty: ReactNode;
  /** True in a narrow column, which has no room for large names. */
  readonly isNarrow?: boolean;
}

/** The properties of a record by name. */
export function PropertiesTable({ properties, empty, isNarrow = false }: PropertiesTableProps) {
  const sorted = Object.entries(properties as Record<string, unknown>).sort(([a], [b]) => a.localeCompare(b));
  if (sorted.length === 0) return empty;
  return (
    <Table verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={isNarrow ? '52%' : '35%'}>Property</Table.Th>
          <Table.Th>Value</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sorted.map(([key, value]) => (
          <Table.Tr key={key}>
            <Table.Td style={{ verticalAlign: 'top', overflowWrap: 'anywhere' }}>
              <Text size={isNarrow ? 'xs' : 'sm'} ff="monospace">
                {key}
              </Text>
            </Table.Td>
            <Table.Td>
              <Value value={value} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
