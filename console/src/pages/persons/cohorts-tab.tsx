import { Accordion, Anchor, Badge, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ComponentProps } from 'react';
import { answer } from '../../api/client';
import { type Cohort } from '../../api/types';
import { textOf, useQuestion } from '../../address/search';
import { criterionText, seenText } from '../../filters/criterion-text';
import { Explanation } from '../../filters/explanation';
import { CohortPicker } from '../../filters/pickers';
import { formatNumber } from '../../ui/format';
import { ProblemAlert } from '../../ui/problem-alert';
import { type PersonProps } from './person';

const most = 1000;

/** The cohorts that the person is in, each with the reason; and for any other cohort, why the person is not in it. */
export function CohortsTab({ projectId, person }: PersonProps) {
  const [question, ask] = useQuestion();
  const other = textOf(question['cohort']) ?? null;
  const [open, setOpen] = useState<string[]>([]);
  const { data, error, refetch } = useQuery({
    ...answer('/api/projects/{project_id}/persons/cohorts', {
      path: { project_id: projectId },
      query: { person_id: person.uuid, limit: most },
    }),
  });
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={160} role="status" aria-label="Loading the cohorts" />;
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Title order={2} size="h4">
          {data.count === 0
            ? 'In no cohort'
            : `In ${formatNumber(data.count)} ${data.count === 1 ? 'cohort' : 'cohorts'}`}
        </Title>
        {data.count > 0 && (
          <Accordion multiple variant="contained" value={open} onChange={setOpen} keepMounted={false}>
            {data.results.map((cohort) => (
              <Accordion.Item key={cohort.id} value={String(cohort.id)}>
                <Accordion.Control>
                  <CohortTitle cohort={cohort} />
                </Accordion.Control>
                <Accordion.Panel>
                  <Stack gap="sm">
                    <Anchor component={Link} size="sm" to={`/p/${projectId}/cohorts/${cohort.id}`}>
                      Open the cohort
                    </Anchor>
                    <Reasons cohort={cohort} personId={person.uuid} />
                  </Stack>
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )}
      </Stack>
      <Stack gap="xs">
        <Title order={2} size="h4">
          Why, or why not, in another cohort?
        </Title>
        <CohortPicker
          label="Cohort to explain"
          placeholder="Choose a cohort"
          clearable
          w={320}
          value={other}
          onChange={(id) => ask({ cohort: id ?? undefined })}
        />
        {other !== null && (
          <Paper withBorder p="md">
            <Reasons cohort={{ id: Number(other), version: null }} personId={person.uuid} />
          </Paper>
        )}
      </Stack>
    </Stack>
  );
}

function Reasons({
  cohort,
  personId,
}: Pick<ComponentProps<typeof Explanation>, 'cohort'> & { readonly personId: string }) {
  return (
    <Explanation
      cohort={cohort}
      of={{ person_id: personId }}
      one="person"
      head={(isMember) => (
        <Text size="sm" role="status">
          {isMember ? 'The person is a member now.' : 'The person is not a member now.'}
        </Text>
      )}
      textOf={criterionText}
      seenOf={seenText}
    />
  );
}

function CohortTitle({ cohort: { id, name, description, count, is_static } }: { readonly cohort: Cohort }) {
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between" pr="sm">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name ?? `Cohort ${id}`}
        </Text>
        {description && (
          <Text size="xs" c="dimmed" lineClamp={2} title={description}>
            {description}
          </Text>
        )}
      </div>
      <Group gap="xs" wrap="nowrap" style={{ flexShrink: 0 }}>
        {is_static && (
          <Badge variant="default" tt="none">
            Static
          </Badge>
        )}
        {count !== null && (
          <Text size="xs" c="dimmed" className="numbers" style={{ whiteSpace: 'nowrap' }}>
            {formatNumber(count)} members
          </Text>
        )}
      </Group>
    </Group>
  );
}
