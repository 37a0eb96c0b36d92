import { ActionIcon, Alert, Button, Group, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconFilter, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { api, pages } from '../../api/client';
import { personName } from '../../api/accounts';
import { useOpenProject, useProjectId } from '../../address/project-context';
import { Activity } from '../../ui/activity';
import { AskFirst } from '../../ui/ask-first';
import { EmptyState } from '../../ui/empty-state';
import { formatAgo, formatTime } from '../../ui/format';
import { notifyDone } from '../../ui/notify';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { RecordSkeleton, TabbedRecord, type RecordTab } from '../../ui/tabbed-record';
import { useChange } from '../../ui/use-change';
import { CallsTab } from './calls-tab';
import { FlagForm } from './definition/flag-form';
import { flagQuery, pathOf, useFlagChange, type FlagProps } from './flag';
import { FlagSwitch } from './flag-table';
import { NewFlag } from './new-flag';
import { SubjectsTab } from './subjects-tab';

const tabs: readonly RecordTab<FlagProps>[] = [
  { name: 'definition', label: 'Definition', staysMounted: true, Content: DefinitionTab },
  {
    name: 'subjects',
    label: 'Who gets what',
    scopes: ({ flag }) => [(flag.filters.aggregation_group_type_index ?? null) === null ? 'person:read' : 'group:read'],
    Content: SubjectsTab,
  },
  { name: 'calls', label: 'Calls', scopes: ['event:read'], Content: CallsTab },
  { name: 'activity', label: 'Activity', scopes: ['activity_log:read'], Content: ActivityTab },
];

export function FlagPage() {
  const { flagId } = useParams({ from: '/p/$projectId/flags/$flagId' });
  if (flagId === 'new') return <NewFlag />;
  if (!/^\d{1,9}$/.test(flagId))
    return (
      <Page title="Flag">
        <EmptyState kind="missing" title="There is no such flag">
          The address may be mistyped.
        </EmptyState>
      </Page>
    );
  return <ExistingFlag key={flagId} id={Number(flagId)} />;
}

function ExistingFlag({ id }: { readonly id: number }) {
  const projectId = useProjectId();
  const { data: flag, error, refetch } = useQuery(flagQuery(projectId, id));
  const problem = error && <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!flag) return <Page title="Flag">{problem ?? <RecordSkeleton label="Loading the flag" />}</Page>;
  const of = { projectId, flag };
  return (
    <Page title={flag.key} description={<Summary {...of} />} actions={<Actions {...of} />}>
      {problem}
      {!flag.active && (
        <Alert color="gray" title="The flag is off for everyone">
          <Text size="sm">SDKs get no value for it until it is on. The counts below show what it would do.</Text>
        </Alert>
      )}
      <TabbedRecord tabs={tabs} of={of} />
    </Page>
  );
}

function Summary({ flag }: FlagProps) {
  const { project } = useOpenProject();
  const { name, version, created_by: author, created_at: createdAt, updated_at: changedAt } = flag;
  return (
    <>
      {name !== '' && (
        <Text size="sm" c="var(--mantine-color-text)" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
      )}
      <Text size="sm" component="div" className="numbers">
        Version {version}, changed{' '}
        <time dateTime={changedAt} title={formatTime(changedAt, project.timezone)}>
          {formatAgo(changedAt)}
        </time>
        {author && ` · created by ${personName(author)} ${formatAgo(createdAt)}`}
      </Text>
    </>
  );
}

function Actions({ projectId, flag }: FlagProps) {
  const { can } = useOpenProject();
  const navigate = useNavigate();
  const [isDeleting, { open, close }] = useDisclosure();
  const remove = useChange(
    () => api.DELETE('/api/projects/{project_id}/feature_flags/{id}', { params: { path: pathOf(projectId, flag) } }),
    {
      refreshes: ['/api/projects/{project_id}/feature_flags'],
      hasForm: true,
      onDone: async () => {
        notifyDone(`${flag.key} is deleted.`);
        await navigate({ to: '/p/$projectId/flags', params: { projectId }, ignoreBlocker: true });
      },
    },
  );
  return (
    <Group gap="md">
      <FlagSwitch projectId={projectId} flag={flag} label={flag.active ? 'On' : 'Off'} />
      <Button
        component={Link}
        variant="default"
        to={funnelLink(projectId, flag.key)}
        leftSection={<IconFilter size={16} aria-hidden />}
      >
        Funnel by variant
      </Button>
      {can('feature_flag:write') && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label="More">
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={open}>
              Delete
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <AskFirst
        title="Delete the flag?"
        confirm="Delete"
        isOpen={isDeleting}
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={remove.mutate}
        onClose={close}
      >
        Code that asks for “{flag.key}” gets no value from then on. This cannot be undone; to stop the flag for a while,
        turn it off.
      </AskFirst>
    </Group>
  );
}

/** SDKs give each event the property `$feature/<key>`, so any funnel can be split by what the person got. */
const funnelLink = (projectId: string, key: string): string => {
  const called = {
    id: '$feature_flag_called',
    properties: [{ type: 'event', key: '$feature_flag', operator: 'exact', value: [key] }],
  };
  const fields = {
    events: [called],
    breakdowns: [{ type: 'event', property: `$feature/${key}` }],
  };
  const search = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`);
  return `/p/${projectId}/insights/funnel?${search.join('&')}`;
};

function DefinitionTab({ projectId, flag }: FlagProps) {
  const save = useFlagChange(projectId, {
    hasForm: true,
    message: () => 'Flag saved. It takes effect within a second.',
  });
  return (
    <FlagForm
      flag={flag}
      saveLabel="Save"
      isSaving={save.isPending}
      saveError={save.error}
      onSave={(written) => save.mutate({ id: flag.id, ...written })}
    />
  );
}

/** Lists who changed the flag, and how. */
function ActivityTab({ projectId, flag }: FlagProps) {
  return (
    <Activity
      query={pages('/api/projects/{project_id}/activity', {
        path: { project_id: projectId },
        query: { scope: 'FeatureFlag', item_id: String(flag.id), limit: 30 },
      })}
      empty={<EmptyState title="No changes yet" />}
    />
  );
}
