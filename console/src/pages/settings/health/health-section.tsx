import { Anchor, Badge, Code, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ProblemError } from '../../../api/problem-error';
import { consoleQuery } from '../../../api/accounts';
import { api, keyOf } from '../../../api/client';
import { useOpenProject } from '../../../address/project-context';
import { ProblemAlert } from '../../../ui/problem-alert';
import { Section } from '../shared/section';
import { useIsOwner } from '../shared/use-is-owner';
import { BackgroundWork } from './background-work';
import { Costs } from './costs';

const checks = [
  ['postgres', 'PostgreSQL'],
  ['clickhouse', 'ClickHouse'],
  ['migrations', 'Migrations'],
  ['projection', 'Lag of ClickHouse behind PostgreSQL'],
] as const;

const statusLabels = { ready: 'Ready', not_ready: 'Not ready', stopping: 'Stopping' } as const;

export function HealthSection() {
  const { can } = useOpenProject();
  const isOwner = useIsOwner();
  const { data, error, refetch } = useQuery({
    queryKey: keyOf('/_readyz'),
    // A service that is not ready answers with 503 and the same checks.
    queryFn: async ({ signal }) => {
      const { data: ready, error: refusal, response } = await api.GET('/_readyz', { signal });
      if (ready) return ready;
      if (typeof refusal === 'object' && 'checks' in refusal) return refusal;
      throw ProblemError.of(refusal, response.status);
    },
    refetchInterval: 5000,
  });
  const info = useQuery(consoleQuery);

  return (
    <>
      <Section
        title="Stores"
        description="Checked every 5 seconds."
        actions={
          data && (
            <Badge size="lg" variant="dot" tt="none" miw="max-content" color={data.status === 'ready' ? 'teal' : 'red'}>
              {statusLabels[data.status]}
            </Badge>
          )
        }
      >
        {error ? (
          <ProblemAlert error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Skeleton h={140} />
        ) : (
          <Table verticalSpacing="xs">
            <Table.Tbody>
              {checks.map(([name, label]) => {
                const check = data.checks[name];
                if (!check) return null;
                return (
                  <Table.Tr key={name}>
                    <Table.Th scope="row" fw={500}>
                      {label}
                    </Table.Th>
                    <Table.Td>
                      <Badge variant="dot" tt="none" miw="max-content" color={check.ok ? 'teal' : 'red'}>
                        {check.ok ? 'OK' : 'Failing'}
                      </Badge>
                    </Table.Td>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{check.detail}</Table.Td>
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          </Table>
        )}
      </Section>
      {isOwner && <BackgroundWork />}
      {can('project:read') && <Costs />}
      <Section
        title="Rebuild ClickHouse"
        description="Everything in ClickHouse is also in PostgreSQL, so it can be rebuilt while the service runs. An operator starts this on the command line and sees its progress there."
      >
        <Stack gap="xs">
          <Code block>npm run cli -- projection rebuild</Code>
          <Text size="sm">To see how far ClickHouse is behind, in rows and seconds:</Text>
          <Code block>npm run cli -- projection status</Code>
        </Stack>
      </Section>
      <Section title="Version">
        <Group gap="lg">
          <Text size="sm">{info.data ? `Kohort ${info.data.version}` : 'Not known'}</Text>
          <Anchor href="/docs" target="_blank" rel="noreferrer noopener" size="sm">
            API documentation
          </Anchor>
        </Group>
        <Text size="sm" c="dimmed" mt="xs">
          Prometheus scrapes metrics at <Code>/metrics</Code>: request durations, lag, deletions and rejected requests.
        </Text>
      </Section>
    </>
  );
}
