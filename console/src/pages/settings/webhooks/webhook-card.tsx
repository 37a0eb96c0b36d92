import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { api } from '../../../api/client';
import { personName } from '../../../api/accounts';
import { useOpenProject } from '../../../address/project-context';
import { cohortNameIn, useCohorts } from '../../../filters/cohorts';
import { AskFirst } from '../../../ui/ask-first';
import { formatCount, formatTime } from '../../../ui/format';
import { useChange } from '../../../ui/use-change';
import { WebhookDialog } from './webhook-dialog';
import { WebhookState } from './webhook-state';
import { refreshes, useSending, type Webhook } from './webhooks';

const kindTexts = { entered: 'who enters', left: 'who leaves' } as const;

interface WebhookCardProps {
  readonly webhook: Webhook;
  readonly onDeliveries: () => void;
}

export function WebhookCard({ webhook, onDeliveries }: WebhookCardProps) {
  const { project, can } = useOpenProject();
  const { url, kinds, format, batch_size: batchSize, created_by: author, created_at: createdAt } = webhook;
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
          <CohortNames webhook={webhook} />: {kinds.map((kind) => kindTexts[kind]).join(' and ')}, up to{' '}
          {formatCount(batchSize, 'change')} in a message
          {format !== 'standard' && `, in the format of ${format}`}
        </Text>
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
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  const params = { path: { project_id: String(project.id), id: webhook.id } };
  const { url, paused } = webhook;
  const test = useSending('The test', () => api.POST('/api/projects/{project_id}/webhooks/{id}/test', { params }));
  const pause = useChange(
    () => api.PATCH('/api/projects/{project_id}/webhooks/{id}', { params, body: { paused: !paused } }),
    { refreshes, message: paused ? 'The webhook goes on.' : 'The webhook is paused.' },
  );
  const remove = useChange(() => api.DELETE('/api/projects/{project_id}/webhooks/{id}', { params }), {
    refreshes,
    message: 'The webhook is deleted.',
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
        aria-label={`${paused ? 'Continue' : 'Pause'} ${url}`}
        leftSection={paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />}
        loading={pause.isPending}
        onClick={() => pause.mutate()}
      >
        {paused ? 'Continue' : 'Pause'}
      </Button>
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
        title="Delete the webhook?"
        isOpen={open === 'delete'}
        onClose={close}
        confirm="Delete"
        isPending={remove.isPending}
        onConfirm={remove.mutate}
      >
        Nothing more is sent to {url}, also what was not accepted yet, and the log of its deliveries is deleted. This
        cannot be undone; to stop it for a while, pause it.
      </AskFirst>
    </>
  );
}
