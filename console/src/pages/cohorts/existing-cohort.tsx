import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { pages } from '../../api/client';
import { useAccountTypes } from '../../filters/account-types';
import { cohortNameIn, useCohorts } from '../../filters/cohorts';
import { definitionText } from './builder/sentence';
import { inFormWords } from '../../api/field-words';
import { useOpenProject, useProject, useProjectId } from '../../address/project-context';
import { ActorsContext, useActorsOfType } from '../../insights/actors';
import { Activity } from '../../ui/activity';
import { EmptyState } from '../../ui/empty-state';
import { formatTime } from '../../ui/format';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { RecordSkeleton, TabbedRecord, type RecordTab } from '../../ui/tabbed-record';
import { DefinitionTab } from './builder/definition-tab';
import { ChangesTab } from './changes/changes-tab';
import { cohortQuery, kindOf, patchCohort, pathOf, useCohortChange, type CohortProps } from './cohort';
import { CohortActions } from './cohort-actions';
import { CohortSummary } from './cohort-summary';
import { ExplainTab } from './explain/explain-tab';
import { HistoryTab } from './history/history-tab';
import { MembersTab } from './members/members-tab';
import { UploadTab } from './upload/upload-tab';

/** Of a deleted cohort the service lists no members. */
const isThere = ({ cohort }: CohortProps): boolean => !cohort.deleted;

const toReadMembers = ({ cohort: { actor } }: CohortProps) => [actor === 'group' ? 'group:read' : 'person:read'];

const tabs: readonly RecordTab<CohortProps>[] = [
  {
    name: 'definition',
    label: 'Definition',
    isFor: ({ cohort }) => kindOf(cohort) !== 'static',
    staysMounted: true,
    Content: DefinitionTab,
  },
  {
    name: 'members',
    label: 'Members',
    scopes: toReadMembers,
    isFor: isThere,
    Content: MembersTab,
  },
  {
    name: 'history',
    label: 'History',
    isFor: isThere,
    Content: HistoryTab,
  },
  {
    name: 'changes',
    label: 'Changes',
    scopes: toReadMembers,
    isFor: isThere,
    Content: ChangesTab,
  },
  {
    name: 'explain',
    label: 'Explain',
    scopes: toReadMembers,
    isFor: isThere,
    Content: ExplainTab,
  },
  {
    name: 'upload',
    label: 'Upload',
    isFor: ({ cohort }) => kindOf(cohort) === 'static',
    Content: UploadTab,
  },
  { name: 'activity', label: 'Activity', scopes: ['activity_log:read'], Content: ActivityTab },
];

export function ExistingCohort({ id }: { readonly id: number }) {
  const { timezone } = useProject();
  const projectId = useProjectId();
  const { data: cohort, error, refetch } = useQuery(cohortQuery(projectId, id));
  const actors = useActorsOfType(cohort?.group_type_index ?? null);
  const problem = error && <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!cohort) return <Page title="Cohort">{problem ?? <RecordSkeleton label="Loading the cohort" />}</Page>;
  const { calculation_error: failure, errors_calculating: failures } = cohort;
  const of = { projectId, cohort };
  return (
    <ActorsContext value={actors}>
      <Page
        title={cohort.name || `Cohort ${cohort.id}`}
        description={<CohortSummary {...of} />}
        actions={<CohortActions {...of} />}
      >
        {problem}
        {cohort.deleted && <Deleted {...of} />}
        {failure && !cohort.is_calculating && (
          <Alert color="red" title="The last calculation failed" role="alert">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {inFormWords(failure.detail, failure.attr)}
            </Text>
            <Text size="xs" mt={4}>
              {formatTime(failure.at, timezone)} · {failures} {failures === 1 ? 'failure' : 'failures'} since the last
              success. The members are those of the last success.
            </Text>
          </Alert>
        )}
        <TabbedRecord tabs={tabs} of={of} />
      </Page>
    </ActorsContext>
  );
}

/** Lists who changed the cohort, and how. */
function ActivityTab({ projectId, cohort }: CohortProps) {
  const names = {
    cohortName: cohortNameIn(useCohorts()),
    types: useAccountTypes(),
    groupType: cohort.group_type_index,
  };
  return (
    <Activity
      query={pages('/api/projects/{project_id}/cohorts/{id}/activity', {
        path: pathOf(projectId, cohort),
        query: { limit: 30 },
      })}
      empty={<EmptyState title="No changes yet" />}
      describe={(value) => definitionText(value, names)}
    />
  );
}

function Deleted({ projectId, cohort }: CohortProps) {
  const { can } = useOpenProject();
  const restore = useCohortChange(projectId, () => patchCohort(projectId, cohort, { deleted: false }));
  return (
    <Alert color="yellow" title="This cohort is deleted">
      <Group justify="space-between" gap="sm">
        <Text size="sm">It is neither listed nor calculated.</Text>
        {can('cohort:write') && (
          <Button size="xs" variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
            Restore
          </Button>
        )}
      </Group>
      {restore.error && <ProblemAlert error={restore.error} />}
    </Alert>
  );
}
