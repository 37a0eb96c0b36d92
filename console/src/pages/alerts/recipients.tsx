import { Anchor, Code, MultiSelect, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accountQuery, personName } from '../../api/accounts';
import { answer } from '../../api/client';
import { type Alert } from '../../api/types';
import { useOpenProject } from '../../address/project-context';

interface RecipientsProps {
  /** The ids of the users who get e-mails. */
  readonly subscribers: readonly number[];
  /** Those whom the service has; some may have left the project. */
  readonly stored: Alert['subscribed_users'];
  readonly isReadOnly: boolean;
  readonly error: string | null;
  readonly onChange: (subscribers: readonly number[]) => void;
}

/** The users who get e-mails of this alert, and the webhooks that are told of every alert of the project. */
export function Recipients(props: RecipientsProps) {
  const { can } = useOpenProject();
  return (
    <Stack gap="sm" component="section" aria-label="Who is told">
      <Title order={2} size="h5">
        Who is told
      </Title>
      <Subscribers {...props} />
      {can('webhook:read') && <Webhooks />}
    </Stack>
  );
}

function Subscribers({ subscribers, stored, isReadOnly, error, onChange }: RecipientsProps) {
  const { project, can } = useOpenProject();
  const { data: me } = useQuery(accountQuery);
  const { data: members } = useQuery({
    ...answer('/api/projects/{project_id}/members', {
      path: { project_id: String(project.id) },
      query: { limit: 1000 },
    }),
    enabled: can('project:read'),
  });
  // An owner of the installation may be a member of no project.
  const users = [...(me ? [me] : []), ...(members?.results ?? []).map(({ user }) => user), ...stored];
  const labels = new Map(
    users.map((user) => {
      const name = personName(user);
      return [String(user.id), name === user.email ? name : `${name} · ${user.email}`];
    }),
  );
  const { data: organization } = useQuery({
    ...answer('/api/organizations/@current'),
    enabled: can('project:read'),
    staleTime: 300_000,
  });
  // Those who were chosen while there was a server can still be removed.
  if (organization?.email_service_available === false && subscribers.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No e-mails: this installation has no SMTP server. Whoever operates it sets <Code>SMTP_URL</Code> and{' '}
        <Code>MAIL_FROM</Code>; then users of the project can be chosen here.
      </Text>
    );
  return (
    <MultiSelect
      label="E-mail to"
      description="Users of this project are told when it fires and when that ends"
      placeholder={subscribers.length === 0 ? 'No one' : undefined}
      maw={560}
      searchable
      limit={100}
      maxValues={50}
      disabled={isReadOnly}
      data={[...labels].map(([value, label]) => ({ value, label }))}
      value={subscribers.map(String)}
      error={error}
      onChange={(ids) => onChange(ids.map(Number).toSorted((a, b) => a - b))}
    />
  );
}

function Webhooks() {
  const { project } = useOpenProject();
  const { data } = useQuery(
    answer('/api/projects/{project_id}/webhooks', {
      path: { project_id: String(project.id) },
      query: { limit: 1000 },
    }),
  );
  const told = (data?.results ?? []).filter(({ events }) => events?.includes('alert.fired'));
  const settings = `/p/${project.id}/settings/webhooks`;
  return (
    <Stack gap={4}>
      {told.map(({ id, url, paused }) => (
        <Text key={id} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {url}
          {paused && ' (paused)'}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        {data && told.length === 0 && 'No webhook takes alerts yet. '}
        <Anchor component={Link} to={settings} size="sm" underline="always">
          {told.length === 0 ? 'Add a webhook' : 'Change the webhooks'}
        </Anchor>{' '}
        in the settings.
      </Text>
    </Stack>
  );
}
