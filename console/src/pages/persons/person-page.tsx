import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { pages } from '../../api/client';
import { ProblemError } from '../../api/problem-error';
import { useProjectId } from '../../address/project-context';
import { Activity } from '../../ui/activity';
import { EmptyState } from '../../ui/empty-state';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { RecordSkeleton, TabbedRecord, type RecordTab } from '../../ui/tabbed-record';
import { CohortsTab } from './cohorts-tab';
import { DistinctIdsTab } from './distinct-ids/distinct-ids-tab';
import { EventsTab } from './events/events-tab';
import { FlagsTab } from './flags-tab';
import { MergesTab } from './merges/merges-tab';
import { pathOf, personQuery, type PersonProps } from './person';
import { PersonActions } from './person-actions';
import { PersonSummary } from './person-summary';
import { TimelineTab } from './timeline/timeline-tab';
import { PropertiesTab } from './properties/properties-tab';

const tabs: readonly RecordTab<PersonProps>[] = [
  { name: 'timeline', label: 'Timeline', scopes: ['event:read'], Content: TimelineTab },
  { name: 'events', label: 'Events', scopes: ['event:read'], Content: EventsTab },
  { name: 'properties', label: 'Properties', Content: PropertiesTab },
  { name: 'cohorts', label: 'Cohorts', scopes: ['cohort:read'], Content: CohortsTab },
  { name: 'flags', label: 'Flags', scopes: ['feature_flag:read'], Content: FlagsTab },
  { name: 'ids', label: 'Distinct ids', Content: DistinctIdsTab },
  { name: 'merges', label: 'Merges', Content: MergesTab },
  { name: 'activity', label: 'Activity', scopes: ['activity_log:read'], Content: ActivityTab },
];

export function PersonPage() {
  const { personId } = useParams({ from: '/p/$projectId/persons/$personId' });
  const projectId = useProjectId();
  const { data: person, error, refetch } = useQuery(personQuery(projectId, personId));
  if (error && !person) return <NoPerson projectId={projectId} error={error} onRetry={() => void refetch()} />;
  if (!person)
    return (
      <Page title="Person">
        <RecordSkeleton label="Loading the person" />
      </Page>
    );
  const of = { projectId, person };
  return (
    <Page title={person.name} description={<PersonSummary {...of} />} actions={<PersonActions {...of} />}>
      <TabbedRecord tabs={tabs} of={of} />
    </Page>
  );
}

/** Lists who changed the person through the interface, and how. */
function ActivityTab({ projectId, person }: PersonProps) {
  return (
    <Activity
      query={pages('/api/projects/{project_id}/persons/{id}/activity', {
        path: pathOf(projectId, person),
        query: { limit: 30 },
      })}
      empty={
        <EmptyState title="No manual changes yet">
          Changes made here or through the interface are listed with their author. What events set is in the history of
          each property.
        </EmptyState>
      }
    />
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
  const problem = error instanceof ProblemError ? error.problem : null;
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
