import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer } from '../../api/client';
import { useOpenProject } from '../../address/project-context';

/** The webhooks that are told of every alert of the project. */
export function Recipients() {
  const { project, can } = useOpenProject();
  const { data } = useQuery({
    ...answer('/api/projects/{project_id}/webhooks', {
      path: { project_id: String(project.id) },
      query: { limit: 1000 },
    }),
    enabled: can('webhook:read'),
  });
  if (!can('webhook:read')) return null;
  const told = (data?.results ?? []).filter(({ events }) => events?.includes('alert.fired'));
  const settings = `/p/${project.id}/settings/webhooks`;
  return (
    <Stack gap={4} component="section" aria-label="Who is told">
      <Title order={2} size="h5">
        Who is told
      </Title>
      {told.map(({ id, url, paused }) => (
        <Text key={id} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {url}
          {paused && ' (paused)'}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        {data && told.length === 0 && 'No one yet: no webhook takes alerts. '}
        <Anchor component={Link} to={settings} size="sm" underline="always">
          {told.length === 0 ? 'Add a webhook' : 'Change the webhooks'}
        </Anchor>{' '}
        in the settings.
      </Text>
    </Stack>
  );
}
