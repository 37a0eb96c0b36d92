import { Button, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { pages } from '../../../api/client';
import { useOpenProject } from '../../../address/project-context';
import { textOf, useQuestion } from '../../../address/search';
import { Records } from '../../../ui/records';
import { Section } from '../shared/section';
import { ShownOnce } from '../shared/shown-once';
import { DeliveriesDrawer } from './deliveries-drawer';
import { WebhookCard } from './webhook-card';
import { WebhookDialog } from './webhook-dialog';

/** The receivers of the project: what they get, and whether it arrives. */
export function WebhooksSection() {
  const { project, can } = useOpenProject();
  const [question, ask] = useQuestion();
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const open = Number(textOf(question['webhook']) ?? NaN);
  return (
    <Section
      title="Webhooks"
      description="Send cohorts and notices to other servers and products. Messages are retried until the receiver accepts them."
      actions={
        can('webhook:write') && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
            New webhook
          </Button>
        )
      }
    >
      <Records
        query={{
          ...pages('/api/projects/{project_id}/webhooks', {
            path: { project_id: String(project.id) },
            query: { limit: 50 },
          }),
          refetchInterval: 10_000,
        }}
        empty="No webhooks yet. A webhook sends cohort changes, alerts and other notices to your own server, or cohorts to Mixpanel, Amplitude or Segment."
      >
        {(webhooks) => (
          <>
            <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {webhooks.map((webhook) => (
                <WebhookCard
                  key={webhook.id}
                  webhook={webhook}
                  onDeliveries={() => ask({ webhook: webhook.id, status: undefined })}
                />
              ))}
            </Stack>
            <DeliveriesDrawer
              webhook={webhooks.find(({ id }) => id === open) ?? null}
              onClose={() => ask({ webhook: undefined, status: undefined })}
            />
          </>
        )}
      </Records>
      <WebhookDialog
        webhook={null}
        isOpen={isMaking}
        onClose={() => setMaking(false)}
        onDone={(webhook) => {
          setMaking(false);
          setSecret(webhook.secret);
        }}
      />
      <ShownOnce
        title="Webhook secret"
        what="Secret"
        text={secret}
        explanation="This secret is shown only once. The receiver needs it to verify the signature of each message, so store it now."
        onClose={() => setSecret(null)}
      />
    </Section>
  );
}
