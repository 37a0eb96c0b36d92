import { Alert, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { answer, api, keyOf } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { useOpenProject, useProject } from '../../../address/project-context';
import { useActors } from '../../../insights/actors';
import { formatNumber, formatTime } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';
import { CsvDrop } from './csv-drop';
import { type CohortProps, pathOf, useCohortChange } from '../cohort';
import { withFile } from './upload';

type Report = Schemas['UploadReportDto'];

/** Adds the persons of a file, and shows what became of the last one. */
export function UploadTab({ projectId, cohort }: CohortProps) {
  const { can } = useOpenProject();
  const [, many] = useActors().noun;
  const [progress, setProgress] = useState(0);
  const running = useRef<AbortController>(null);
  const upload = useCohortChange(projectId, (file: File) => {
    running.current = new AbortController();
    setProgress(0);
    return api.PATCH('/api/projects/{project_id}/cohorts/{id}', {
      params: { path: pathOf(projectId, cohort) },
      body: {},
      ...withFile(file, setProgress),
      signal: running.current.signal,
    });
  });
  return (
    <Stack gap="lg">
      {can('cohort:write') && !cohort.deleted && (
        <Stack gap="xs">
          <CsvDrop
            onFile={upload.mutate}
            progress={upload.isPending ? progress : null}
            onCancel={() => running.current?.abort()}
          />
          <Text size="xs" c="dimmed">
            The {many} of the file are added to the members; no member is removed.
          </Text>
          {upload.error && <ProblemAlert error={upload.error} />}
        </Stack>
      )}
      {cohort.upload === null ? (
        <Text size="sm" c="dimmed">
          No file or list was uploaded to this cohort yet.
        </Text>
      ) : (
        <LastUpload projectId={projectId} cohort={cohort} />
      )}
    </Stack>
  );
}

const report = '/api/projects/{project_id}/cohorts/{id}/upload';

function LastUpload({ projectId, cohort }: CohortProps) {
  const params = { path: pathOf(projectId, cohort) };
  const { data, error, refetch } = useQuery({
    ...answer(report, params),
    queryKey: keyOf(report, params, cohort.is_calculating, cohort.upload),
    placeholderData: (before) => before,
  });
  if (cohort.is_calculating)
    return (
      <Alert color="blue" title="The cohort is being filled" role="status">
        The report appears when all rows have been read.
      </Alert>
    );
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  return data ? <UploadReport report={data} /> : null;
}

function UploadReport({ report }: { readonly report: Report }) {
  const { timezone } = useProject();
  const [one] = useActors().noun;
  const { rows, matched, unknown, duplicates, uploaded_at, unmatched } = report;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          The last upload
        </Title>
        <Text size="sm" c="dimmed">
          {formatTime(uploaded_at, timezone)}
        </Text>
      </Group>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
        <Figure label="Rows" value={rows} />
        <Figure label="Matched" value={matched} />
        <Figure label="Unknown" value={unknown} />
        <Figure label="Duplicates" value={duplicates} />
      </SimpleGrid>
      {unknown > 0 && (
        <>
          <Title order={2} size="h5">
            Rows that name no {one}
          </Title>
          {unmatched.length < unknown && (
            <Text size="sm" c="dimmed">
              {unmatched.length === 0
                ? 'The service does not keep the lines of this upload any more.'
                : `The first ${formatNumber(unmatched.length)} of ${formatNumber(unknown)}`}
            </Text>
          )}
          {unmatched.length > 0 && <Unmatched rows={unmatched} />}
        </>
      )}
    </Stack>
  );
}

function Figure({ label, value }: { readonly label: string; readonly value: number }) {
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fz={22} fw={650} className="numbers">
        {formatNumber(value)}
      </Text>
    </Paper>
  );
}

function Unmatched({ rows }: { readonly rows: Report['unmatched'] }) {
  return (
    <Paper withBorder mah={420} style={{ overflow: 'auto' }} tabIndex={0} role="region" aria-label="Unmatched rows">
      <Table stickyHeader className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={120}>Line</Table.Th>
            <Table.Th>Value</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ attr, line, value }, index) => (
            <Table.Tr key={index}>
              <Table.Td>{line === null ? attr : formatNumber(line)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
