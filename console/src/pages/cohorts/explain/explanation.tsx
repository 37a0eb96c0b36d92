import { Alert, Anchor, Badge, Group, Loader, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, bodyOf } from '../../../api/client';
import { type components } from '../../../api/schema';
import { cohortNameIn, useCohorts } from '../../../filters/cohorts';
import { formatNumber } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';
import { seenText } from '../../../filters/criterion-text';
import { isRecord, type Criterion as Definition } from '../builder/definition';
import { sentenceOf } from '../builder/sentence';
import { type OfCohort } from '../existing-cohort';
import { cohortKey } from '../requests';

type Criterion = components['schemas']['CriterionDto'];

/** The part of the cohort that a path names: `filters.properties.values.0`. */
const partAt = (cohort: unknown, path: string): Definition | null => {
  const part = path
    .split('.')
    .reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], cohort);
  return isRecord(part) ? part : null;
};

export function Explanation({ projectId, cohort, personId }: OfCohort & { readonly personId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...cohortKey(projectId, cohort.id), 'explanation', personId, cohort.version],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/projects/{project_id}/cohorts/{id}/explain', {
          params: { path: { project_id: projectId, id: cohort.id }, query: { person_id: personId } },
          signal,
        }),
      ),
  });
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader size="sm" role="status" aria-label="Loading the explanation" />;
  const { member, holds, criteria } = data;
  return (
    <Stack gap="sm">
      <Group gap="sm" role="status">
        <Badge color={member ? 'teal' : 'gray'} variant="light" tt="none" size="lg">
          {member ? 'A member now' : 'Not a member now'}
        </Badge>
        <Anchor component={Link} to={`/p/${projectId}/persons/${personId}`} size="sm">
          Open the person
        </Anchor>
      </Group>
      {criteria.length > 0 && member !== holds && (
        <Alert color="yellow">
          {holds
            ? 'The criteria hold at this moment; the next calculation adds the person.'
            : 'The criteria do not hold any more; the next calculation removes the person.'}
        </Alert>
      )}
      {criteria.length === 0 ? (
        <Text size="sm" c="dimmed">
          The cohort has no criteria to compare: its members were given as a list, or by a query.
        </Text>
      ) : (
        criteria.map((criterion) => (
          <CriterionCard
            key={criterion.path}
            criterion={criterion}
            definition={partAt({ filters: cohort.filters, groups: cohort.groups }, criterion.path)}
          />
        ))
      )}
    </Stack>
  );
}

/** Of events it counts, and of a property or a cohort it saw a value. */
const seenOf = (criterion: Criterion): string => {
  const times = isRecord(criterion.seen) ? criterion.seen['times'] : undefined;
  if (typeof times !== 'number') return seenText(criterion);
  return `Seen: ${formatNumber(times)} ${times === 1 ? 'time' : 'times'}.`;
};

interface CriterionCardProps {
  readonly criterion: Criterion;
  readonly definition: Definition | null;
}

function CriterionCard({ criterion, definition }: CriterionCardProps) {
  const cohorts = useCohorts();
  const { held, key, criterion: kind } = criterion;
  return (
    <Paper withBorder p="sm">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <ThemeIcon size="sm" radius="xl" variant="light" color={held ? 'teal' : 'red'} aria-hidden mt={1}>
          {held ? <IconCheck size={13} /> : <IconX size={13} />}
        </ThemeIcon>
        <div style={{ minWidth: 0 }}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <b>{held ? 'Holds' : 'Does not hold'}:</b> They{' '}
            {definition ? sentenceOf(definition, cohortNameIn(cohorts)) : `${kind} ${key}`}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {seenOf(criterion)}
          </Text>
        </div>
      </Group>
    </Paper>
  );
}
