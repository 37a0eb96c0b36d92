import { Alert, Group, Loader, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { answer, keyOf } from '../api/client';
import { type Cohort, type Criterion } from '../api/types';
import { useProjectId } from '../address/project-context';
import { ProblemAlert } from '../ui/problem-alert';

const path = '/api/projects/{project_id}/cohorts/{id}/explain';

interface ExplanationProps {
  readonly cohort: Pick<Cohort, 'id' | 'version'>;
  /** Whose membership is explained. */
  readonly of: { readonly person_id: string } | { readonly group_id: string };
  /** The word for the member: `person`. */
  readonly one: string;
  readonly head: (isMember: boolean) => ReactNode;
  /** A criterion in words. */
  readonly textOf: (criterion: Criterion) => string;
  /** Returns the value that the service compared. */
  readonly seenOf: (criterion: Criterion) => string;
}

/** Each criterion of a cohort: whether it holds for the person or the account, and what was seen. */
export function Explanation({ cohort: { id, version }, of, one, head, textOf, seenOf }: ExplanationProps) {
  const params = { path: { project_id: useProjectId(), id }, query: of };
  const { data, error, refetch } = useQuery({ ...answer(path, params), queryKey: keyOf(path, params, version) });
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader size="sm" role="status" aria-label="Loading the explanation" />;
  const { member, holds, criteria } = data;
  return (
    <Stack gap="sm">
      {head(member)}
      {criteria.length > 0 && member !== holds && (
        <Alert color="yellow">
          {holds
            ? `The criteria hold now; the next calculation adds the ${one}.`
            : `The criteria no longer hold; the next calculation removes the ${one}.`}
        </Alert>
      )}
      {criteria.length === 0 && (
        <Text size="sm" c="dimmed">
          The cohort has no criteria to compare: its members were given as a list, or by a query.
        </Text>
      )}
      {criteria.map((criterion) => (
        <Paper key={criterion.path} withBorder p="sm">
          <Group gap="sm" wrap="nowrap" align="flex-start">
            <ThemeIcon size="sm" radius="xl" variant="light" color={criterion.held ? 'teal' : 'red'} aria-hidden mt={1}>
              {criterion.held ? <IconCheck size={13} /> : <IconX size={13} />}
            </ThemeIcon>
            <div style={{ minWidth: 0 }}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <b>{criterion.held ? 'Holds' : 'Does not hold'}:</b> {textOf(criterion)}
              </Text>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {seenOf(criterion)}
              </Text>
            </div>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
