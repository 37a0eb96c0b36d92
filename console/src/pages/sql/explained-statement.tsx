import { Code, Group, Paper, Stack, Text } from '@mantine/core';
import { type Schemas } from '../../api/types';
import { formatNumber } from '../../ui/format';

export function ExplainedStatement({ explained }: { readonly explained: Schemas['ExplainedDto'] }) {
  return (
    <Stack gap="sm">
      <Group gap="xl">
        <Figure label="Rows to read" value={explained.rows} />
        <Figure label="Bytes to read" value={explained.bytes} />
      </Group>
      <Code block style={{ whiteSpace: 'pre-wrap' }} tabIndex={0}>
        {explained.statement}
      </Code>
      <Text size="sm" c="dimmed">
        The statement that ClickHouse runs. Values are bound: <Code>{JSON.stringify(explained.parameters)}</Code>
      </Text>
    </Stack>
  );
}

function Figure({ label, value }: { readonly label: string; readonly value: number | null }) {
  return (
    <Paper withBorder px="md" py="xs">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={600} className="numbers">
        {value === null ? 'unknown' : formatNumber(value)}
      </Text>
    </Paper>
  );
}
