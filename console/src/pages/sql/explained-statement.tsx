import { Code, Group, Paper, Stack, Text } from '@mantine/core';
import { type Schemas } from '../../api/types';
import { formatBytes, formatNumber, formatShare } from '../../ui/format';
import classes from './sql-page.module.css';

/** What a question would read, as a picture, and the statement that reads it. */
export function ExplainedStatement({ explained }: { readonly explained: Schemas['ExplainedDto'] }) {
  const { reads, rows, bytes } = explained;
  return (
    <Stack gap="sm">
      <Paper withBorder p="md" component="section" aria-label="What is read">
        <Group gap="xl" mb={reads.length > 0 ? 'md' : 0}>
          <Figure label="Rows to read" value={formatNumber(rows)} />
          <Figure label="Data to read" value={formatBytes(bytes)} />
        </Group>
        <Stack gap="lg">
          {[...reads]
            .sort((a, b) => b.bytes - a.bytes)
            .map((read) => (
              <TableRead key={read.table} read={read} />
            ))}
        </Stack>
        {reads.length === 0 && (
          <Text size="sm" c="dimmed">
            No table is read.
          </Text>
        )}
      </Paper>
      <Paper withBorder p="md" component="details">
        <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
          The statement that ClickHouse runs
        </Text>
        <Code block mt="sm" style={{ whiteSpace: 'pre-wrap' }} tabIndex={0}>
          {explained.statement}
        </Code>
        <Text size="sm" c="dimmed" mt="xs">
          Bound values: <Code>{JSON.stringify(explained.parameters)}</Code>
        </Text>
      </Paper>
    </Stack>
  );
}

/** The tables of the engine by what they hold. */
const names: Readonly<Record<string, string>> = {
  events: 'Events',
  persons: 'Persons',
  distinct_ids: 'Distinct ids',
  distinct_id_overrides: 'Distinct ids of merged persons',
  cohort_members: 'Cohort members',
  groups: 'Accounts',
};

const nameOf = (table: string): string => names[table.replace(/_local$/, '')] ?? table;

function TableRead({ read }: { readonly read: Schemas['TableReadDto'] }) {
  return (
    <Stack gap={8} role="group" aria-label={nameOf(read.table)}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {nameOf(read.table)}
        </Text>
        <Text size="sm" c="dimmed" className="numbers">
          {formatBytes(read.bytes)}
        </Text>
      </Group>
      <Bar label="Rows" read={read.rows} all={read.project_rows} />
      <Bar label="Parts" read={read.parts} all={read.project_parts} />
    </Stack>
  );
}

interface BarProps {
  readonly label: string;
  readonly read: number;
  /** What the project has. A table that is read twice counts twice. */
  readonly all: number;
}

function Bar({ label, read, all }: BarProps) {
  const share = all === 0 ? 0 : read / all;
  const text = `${formatNumber(read)} of ${formatNumber(all)} (${formatShare(share)})`;
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={2}>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        <Text size="xs" className="numbers">
          {text}
        </Text>
      </Group>
      <div className={classes.bar} role="img" aria-label={`${label}: ${text}`}>
        <div style={{ width: `${Math.min(1, share) * 100}%` }} />
      </div>
    </div>
  );
}

function Figure({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={650} size="xl" className="numbers">
        {value}
      </Text>
    </div>
  );
}
