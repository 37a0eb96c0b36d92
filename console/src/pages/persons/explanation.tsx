import { Alert, Group, List, Loader, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { type components } from '../../api/schema';
import { ProblemAlert } from '../../ui/problem-alert';
import { criterionText, seenText } from '../../filters/criterion-text';
import { type OfPerson } from './person-page';
import { personKey } from './requests';

type Criterion = components['schemas']['CriterionDto'];

interface ExplanationProps extends OfPerson {
  readonly cohortId: number;
}

/** Each criterion of a cohort: whether it holds for the person, and what was seen. */
export function Explanation({ projectId, person, cohortId }: ExplanationProps) {
  const { data, error, refetch } = useQuery({
    queryKey: [...personKey(projectId, person.uuid), 'explanation', cohortId],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/projects/{project_id}/cohorts/{id}/explain', {
          params: { path: { project_id: projectId, id: cohortId }, query: { person_id: person.uuid } },
          signal,
        }),
      ),
  });
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader size="sm" role="status" aria-label="Loading the explanation" />;
  const { member, holds, criteria } = data;
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {member ? 'The person is a member now.' : 'The person is not a member now.'}
      </Text>
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
        <List listStyleType="none" spacing="xs" center={false}>
          {criteria.map((criterion) => (
            <CriterionLine key={criterion.path} criterion={criterion} />
          ))}
        </List>
      )}
    </Stack>
  );
}

function CriterionLine({ criterion }: { readonly criterion: Criterion }) {
  const { held } = criterion;
  return (
    <List.Item>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <ThemeIcon size="sm" radius="xl" variant="light" color={held ? 'teal' : 'red'} aria-hidden>
          {held ? <IconCheck size={13} /> : <IconX size={13} />}
        </ThemeIcon>
        <div style={{ minWidth: 0 }}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <b>{held ? 'Holds' : 'Does not hold'}:</b> {criterionText(criterion)}
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {seenText(criterion)}
          </Text>
        </div>
      </Group>
    </List.Item>
  );
}
