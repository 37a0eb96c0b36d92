import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconRefresh, IconSend, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { api } from '../../../api/client';
import { personName } from '../../../api/accounts';
import { useOpenProject } from '../../../address/project-context';
import { actionNameIn, useActions } from '../../../filters/actions';
import { cohortNameIn, useCohorts } from '../../../filters/cohorts';
import { AskFirst } from '../../../ui/ask-first';
import { formatCount, formatTime } from '../../../ui/format';
import { useChange } from '../../../ui/use-change';
import { WebhookDialog } from './webhook-dialog';
import { LastFailure, WebhookState } from './webhook-state';
import { eventChoices, formatNames, refreshes, useSending, type Webhook } from './webhooks';

const kindTexts = { entered: 'who enters', left: 'who leaves' } as const;

const identifierTexts = { distinct_id: 'by distinct id', email: 'by e-mail address', uuid: 'by uuid' } as const;

const identifierText = (identifier: Webhook['identifier']): string =>
  identifier === null ? '' : typeof identifier === 'object' ? `by ${identifier.property}` : identifierTexts[identifier];

interface WebhookCardProps {
  readonly webhook: Webhook;
  readonly onDeliveries: () => void;
}

export function WebhookCard({ webhook, onDeliveries }: WebhookCardProps) {
  const { project, can } = useOpenProject();
  const { url, kinds, format, batch_size: batchSize, created_by: author, created_at: createdAt } = webhook;
  const { identifier, properties, events, action } = webhook;
  const actionName = actionNameIn(useActions());
  const sendsCohorts = events.includes('cohort.changed');
  const notices = eventChoices.filter(
    ({ events: some }) => !some.includes('cohort.changed') && some.some((event) => events.includes(event)),
  );
  return (
    <Paper withBorder p="sm" component="li" aria-label={url}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs" align="flex-start">
          <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere', flex: '1 1 220px', minWidth: 0 }}>
            {url}
          </Text>
          <WebhookState webhook={webhook} />
        </Group>
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          {format !== 'standard' && (
            <>
              <b>{formatNames[format]}</b>, {identifierText(identifier)}
              {properties.length > 0 && ` with ${properties.join(', ')}`} ·{' '}
            </>
          )}
          {sendsCohorts && (
            <>
              <CohortNames webhook={webhook} />:{' '}
              {format === 'standard' ? kinds.map((kind) => kindTexts[kind]).join(' and ') : 'the members'}, up to{' '}
              {formatCount(batchSize, format === 'standard' ? 'change' : 'person')} in a message
            </>
          )}
          {sendsCohorts && notices.length > 0 && ' · '}
          {notices
            .map(({ label, events: [event] }) =>
              event === 'action.matched' && action !== null ? `Events that match ${actionName(action)}` : label,
            )
            .join(' · ')}
        </Text>
        {!webhook.paused && webhook.failing_since !== null && <LastFailure webhook={webhook} />}
        {webhook.paused_reason !== null && (
          <Text size="sm" c="var(--mantine-color-error)" style={{ overflowWrap: 'anywhere' }}>
            {webhook.paused_reason}
          </Text>
        )}
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Webhook {webhook.id}, made {formatTime(createdAt, project.timezone)}
          {author && ` by ${personName(author)}`}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onDeliveries}>
            Deliveries
          </Button>
          {can('webhook:write') && <Actions webhook={webhook} />}
        </Group>
      </Stack>
    </Paper>
  );
}

/** Of a list of cohorts each opens its page. */
function CohortNames({ webhook: { cohorts } }: { readonly webhook: Webhook }) {
  const { project } = useOpenProject();
  const nameOf = cohortNameIn(useCohorts());
  if (cohorts === '*') return <b>All cohorts</b>;
  return cohorts.map((id, at) => (
    <Fragment key={id}>
      {at > 0 && ', '}
      <Anchor component={Link} to={`/p/${project.id}/cohorts/${id}`} size="sm" underline="always">
        {nameOf(id)}
      </Anchor>
    </Fragment>
  ));
}

/** The menu of a webhook. */
function Actions({ webhook }: { readonly webhook: Webhook }) {
  const { project } = useOpenProject();
  const [open, setOpen] = useState<'edit' | 'resync' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  const params = { path: { project_id: String(project.id), id: webhook.id } };
  const { url, paused } = webhook;
  const test = useSending('The test', () => api.POST('/api/projects/{project_id}/webhooks/{id}/test', { params }));
  const pause = useChange(
    () => api.PATCH('/api/projects/{project_id}/webhooks/{id}', { params, body: { paused: !paused } }),
    { refreshes, message: paused ? 'The webhook is active again.' : 'The webhook is paused.' },
  );
  const resync = useChange(() => api.POST('/api/projects/{project_id}/webhooks/{id}/resync', { params, body: {} }), {
    refreshes,
    message: 'All members are sent again.',
    onDone: close,
  });
  const remove = useChange(() => api.DELETE('/api/projects/{project_id}/webhooks/{id}', { params }), {
    refreshes,
    message: 'Webhook deleted.',
    onDone: close,
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`Test ${url}`}
        leftSection={<IconSend size={14} aria-hidden />}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        Test
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={`${paused ? 'Resume' : 'Pause'} ${url}`}
        leftSection={paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />}
        loading={pause.isPending}
        onClick={() => pause.mutate()}
      >
        {paused ? 'Resume' : 'Pause'}
      </Button>
      {webhook.format !== 'standard' && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Send all members again to ${url}`}
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={() => setOpen('resync')}
        >
          Resync
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={`Edit ${url}`}
        leftSection={<IconPencil size={14} aria-hidden />}
        onClick={() => setOpen('edit')}
      >
        Edit
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="red"
        aria-label={`Delete ${url}`}
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => setOpen('delete')}
      >
        Delete
      </Button>
      <WebhookDialog webhook={webhook} isOpen={open === 'edit'} onClose={close} onDone={close} />
      <AskFirst
        title="Resend all members?"
        isOpen={open === 'resync'}
        onClose={close}
        confirm="Resend"
        isPending={resync.isPending}
        onConfirm={resync.mutate}
      >
        All members of its cohorts are sent to {url} in pages and replace what the receiver has. After that it gets
        changes only, as before.
      </AskFirst>
      <AskFirst
        title="Delete webhook?"
        isOpen={open === 'delete'}
        onClose={close}
        confirm="Delete"
        isPending={remove.isPending}
        onConfirm={remove.mutate}
      >
        Nothing more is sent to {url}, including messages it has not accepted yet, and its delivery log is deleted. This
        cannot be undone; to stop it for a while, pause it instead.
      </AskFirst>
    </>
  );
}
