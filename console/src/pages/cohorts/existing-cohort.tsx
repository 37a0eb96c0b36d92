import { Alert, Button, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { type Cohort } from '../../api/types';
import { useOpenProject } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { formatTime } from '../../ui/format';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { ActivityTab } from './activity-tab';
import { ChangesTab } from './changes/changes-tab';
import { CohortActions } from './cohort-actions';
import { CohortSummary } from './cohort-summary';
import { DefinitionTab } from './builder/definition-tab';
import { ExplainTab } from './explain/explain-tab';
import { HistoryTab } from './history/history-tab';
import { kindOf } from './kind';
import { MembersTab } from './members/members-tab';
import { cohortQuery, patchCohort, useCohortChange } from './requests';
import { UploadTab } from './upload/upload-tab';

export interface OfCohort {
  readonly projectId: string;
  readonly cohort: Cohort;
}

interface Tab {
  readonly name: string;
  readonly label: string;
  readonly scopes: readonly string[];
  readonly isFor?: (cohort: Cohort) => boolean;
  /** A tab in which something is written stays as it is while another one is open. */
  readonly isKept?: boolean;
  readonly content: (of: OfCohort) => ReactNode;
}

/** Of a deleted cohort the service lists no members. */
const isThere = ({ deleted }: Cohort): boolean => !deleted;

const tabs: readonly Tab[] = [
  {
    name: 'definition',
    label: 'Definition',
    scopes: [],
    isFor: (cohort) => kindOf(cohort) !== 'static',
    isKept: true,
    content: (of) => <DefinitionTab {...of} />,
  },
  {
    name: 'members',
    label: 'Members',
    scopes: ['person:read'],
    isFor: isThere,
    content: (of) => <MembersTab {...of} />,
  },
  {
    name: 'history',
    label: 'History',
    scopes: [],
    isFor: isThere,
    content: (of) => <HistoryTab {...of} />,
  },
  {
    name: 'changes',
    label: 'Changes',
    scopes: ['person:read'],
    isFor: isThere,
    content: (of) => <ChangesTab {...of} />,
  },
  {
    name: 'explain',
    label: 'Explain',
    scopes: ['person:read'],
    isFor: isThere,
    content: (of) => <ExplainTab {...of} />,
  },
  {
    name: 'upload',
    label: 'Upload',
    scopes: [],
    isFor: (cohort) => kindOf(cohort) === 'static',
    content: (of) => <UploadTab {...of} />,
  },
  { name: 'activity', label: 'Activity', scopes: ['activity_log:read'], content: (of) => <ActivityTab {...of} /> },
];

export function ExistingCohort({ id }: { readonly id: number }) {
  const { project, can } = useOpenProject();
  const projectId = String(project.id);
  const [question, ask] = useQuestion();
  const { data: cohort, error, refetch } = useQuery(cohortQuery(projectId, id));
  if (!cohort)
    return (
      <Page title="Cohort">
        {error ? (
          <ProblemAlert error={error} onRetry={() => void refetch()} />
        ) : (
          <Stack aria-busy aria-label="Loading the cohort">
            <Skeleton height={60} />
            <Skeleton height={320} />
          </Stack>
        )}
      </Page>
    );
  const open = tabs.filter(({ scopes, isFor }) => scopes.every(can) && (isFor?.(cohort) ?? true));
  const tab = open.find(({ name }) => name === textOf(question['tab'])) ?? open[0];
  return (
    <Page
      title={cohort.name || `Cohort ${cohort.id}`}
      description={<CohortSummary projectId={projectId} cohort={cohort} />}
      actions={<CohortActions projectId={projectId} cohort={cohort} />}
    >
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {cohort.deleted && <Deleted projectId={projectId} cohort={cohort} />}
      {cohort.calculation_error && !cohort.is_calculating && (
        <Alert color="red" title="The last calculation failed" role="alert">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {cohort.calculation_error.detail}
            {cohort.calculation_error.attr !== null && ` (${cohort.calculation_error.attr})`}
          </Text>
          <Text size="xs" mt={4}>
            {formatTime(cohort.calculation_error.at, project.timezone)} · {cohort.errors_calculating}{' '}
            {cohort.errors_calculating === 1 ? 'failure' : 'failures'} since the last success. The members are those of
            the last success.
          </Text>
        </Alert>
      )}
      <Tabs value={tab?.name ?? null} onChange={(name) => ask({ tab: name ?? undefined })}>
        <Tabs.List mb="md" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
          {open.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name} style={{ flexShrink: 0 }}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {open.map(({ name, content, isKept = false }) => (
          <Tabs.Panel key={name} value={name}>
            {(isKept || name === tab?.name) && content({ projectId, cohort })}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

function Deleted({ projectId, cohort }: OfCohort) {
  const { can } = useOpenProject();
  const restore = useCohortChange(projectId, () => patchCohort(projectId, cohort.id, { deleted: false }));
  return (
    <Alert color="yellow" title="This cohort is deleted">
      <Group justify="space-between" gap="sm">
        <Text size="sm">It is not listed and not calculated.</Text>
        {can('cohort:write') && (
          <Button size="xs" variant="default" loading={restore.isPending} onClick={() => restore.mutate(undefined)}>
            Restore
          </Button>
        )}
      </Group>
      {restore.error && <ProblemAlert error={restore.error} />}
    </Alert>
  );
}
