import { Alert, Anchor, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { ProblemError } from '../../api/problem-error';
import { type Person } from '../../api/types';
import { useOpenProject } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { ActivityTab } from '../../ui/activity';
import { CohortsTab } from './cohorts-tab';
import { DistinctIdsTab } from './distinct-ids/distinct-ids-tab';
import { EventsTab } from './events/events-tab';
import { MergesTab } from './merges/merges-tab';
import { PersonActions } from './person-actions';
import { PersonSummary } from './person-summary';
import { PropertiesTab } from './properties/properties-tab';
import { personQuery } from './requests';

export interface OfPerson {
  readonly projectId: string;
  readonly person: Person;
}

interface Tab {
  readonly name: string;
  readonly label: string;
  readonly scopes: readonly string[];
  readonly content: (of: OfPerson) => ReactNode;
}

const tabs: readonly Tab[] = [
  { name: 'properties', label: 'Properties', scopes: [], content: (of) => <PropertiesTab {...of} /> },
  { name: 'events', label: 'Events', scopes: ['event:read'], content: (of) => <EventsTab {...of} /> },
  { name: 'cohorts', label: 'Cohorts', scopes: ['cohort:read'], content: (of) => <CohortsTab {...of} /> },
  { name: 'ids', label: 'Distinct ids', scopes: [], content: (of) => <DistinctIdsTab {...of} /> },
  { name: 'merges', label: 'Merges', scopes: [], content: (of) => <MergesTab {...of} /> },
  { name: 'activity', label: 'Activity', scopes: ['activity_log:read'], content: (of) => <ActivityTab {...of} /> },
];

export function PersonPage() {
  const { personId } = useParams({ from: '/p/$projectId/persons/$personId' });
  const { project, can } = useOpenProject();
  const projectId = String(project.id);
  const [question, ask] = useQuestion();
  const { data: person, error, refetch } = useQuery(personQuery(projectId, personId));
  if (error && !person) return <NoPerson projectId={projectId} error={error} onRetry={() => void refetch()} />;
  if (!person)
    return (
      <Page title="Person">
        <Stack role="status" aria-busy aria-label="Loading the person">
          <Skeleton height={60} />
          <Skeleton height={320} />
        </Stack>
      </Page>
    );
  const open = tabs.filter(({ scopes }) => scopes.every(can));
  const tab = open.find(({ name }) => name === textOf(question['tab'])) ?? open[0];
  return (
    <Page
      title={person.name}
      description={<PersonSummary projectId={projectId} person={person} />}
      actions={<PersonActions projectId={projectId} person={person} />}
    >
      <Tabs value={tab?.name ?? null} onChange={(name) => ask({ tab: name ?? undefined })} keepMounted={false}>
        <Tabs.List mb="md" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
          {open.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name} style={{ flexShrink: 0 }}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {open.map(({ name, content }) => (
          <Tabs.Panel key={name} value={name}>
            {content({ projectId, person })}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

/** A person that was merged names the person that it became. */
function NoPerson({
  projectId,
  error,
  onRetry,
}: {
  readonly projectId: string;
  readonly error: Error;
  readonly onRetry: () => void;
}) {
  const problem = error instanceof ProblemError ? (error.problem as { merged_into?: { uuid: string } }) : null;
  return (
    <Page title="Person">
      {problem?.merged_into ? (
        <Alert title="This person was merged into another one">
          <Stack gap={4} align="flex-start">
            <Anchor component={Link} to={`/p/${projectId}/persons/${problem.merged_into.uuid}`}>
              Open the person that has its ids and events now
            </Anchor>
            <Text size="sm">Its tab “Merges” lists the merge, which can be undone for 90 days.</Text>
          </Stack>
        </Alert>
      ) : (
        <ProblemAlert error={error} onRetry={onRetry} />
      )}
    </Page>
  );
}
