import { Anchor, CloseButton, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer } from '../../api/client';
import { useOpenProject } from '../../address/project-context';
import { cohortsQuery } from './overview-queries';

/** What to do next in a new project. Each line ticks itself; the list goes when all are done, or when it is closed. */
export function Checklist({ hasEvents }: { readonly hasEvents: boolean }) {
  const { project } = useOpenProject();
  const [isClosed, setClosed] = useLocalStorage({
    key: `kohort.checklist.${project.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  return isClosed ? null : <Steps hasEvents={hasEvents} onClose={() => setClosed(true)} />;
}

function Steps({ hasEvents, onClose }: { readonly hasEvents: boolean; readonly onClose: () => void }) {
  const { project, can } = useOpenProject();
  const projectId = String(project.id);
  const path = { project_id: projectId };
  const one = { path, query: { limit: 1 } };
  const persons = useQuery({
    ...answer('/api/projects/{project_id}/persons', { path, query: { limit: 1, is_identified: true } }),
    enabled: can('person:read'),
  });
  const insights = useQuery({
    ...answer('/api/projects/{project_id}/insights', one),
    enabled: can('insight:read'),
  });
  const cohorts = useQuery({ ...cohortsQuery(projectId), enabled: can('cohort:read') });
  const boards = useQuery({
    ...answer('/api/projects/{project_id}/dashboards', one),
    enabled: can('dashboard:read'),
  });
  const members = useQuery({ ...answer('/api/projects/{project_id}/members', one), enabled: can('project:read') });
  const counts = [persons, insights, cohorts, boards, members].map(({ data }) => data?.count);
  if (counts.some((count) => count === undefined)) return null;
  const [identified = 0, saved = 0, groups = 0, shown = 0, users = 0] = counts;
  const steps = [
    { label: 'Send a first event', isDone: hasEvents, to: 'live' },
    { label: 'Identify a first person', isDone: identified > 0, to: 'persons' },
    { label: 'Save a first insight', isDone: saved > 0, to: 'insights/trends' },
    { label: 'Build a first cohort', isDone: groups > 0, to: 'cohorts/new' },
    { label: 'Create a first dashboard', isDone: shown > 0, to: 'saved' },
    { label: 'Invite a second user', isDone: users > 1, to: 'settings/members' },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label="First steps">
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2} size="h5">
          First steps, {done} of {steps.length} done
        </Title>
        <CloseButton aria-label="Close the first steps" onClick={onClose} />
      </Group>
      <SimpleGrid cols={{ base: 2, md: 3 }} spacing="xs" verticalSpacing={6}>
        {steps.map(({ label, isDone, to }) => (
          <Group key={label} gap={6} wrap="nowrap">
            {isDone ? (
              <IconCircleCheckFilled size={18} color="var(--mantine-color-teal-6)" aria-label="Done:" />
            ) : (
              <IconCircle size={18} aria-label="To do:" />
            )}
            {isDone ? (
              <Text size="sm" c="dimmed">
                {label}
              </Text>
            ) : (
              <Anchor component={Link} to={`/p/${projectId}/${to}`} size="sm">
                {label}
              </Anchor>
            )}
          </Group>
        ))}
      </SimpleGrid>
    </Paper>
  );
}
