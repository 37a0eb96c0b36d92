import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer } from '../../api/client';
import { useOpenProject } from '../../address/project-context';
import { formatAgo, formatCount, formatNumber } from '../../ui/format';

/** What somebody should look at: alerts that fire or could not be checked, and events that were altered. Nothing if all is well. */
export function Attention() {
  const { project, can } = useOpenProject();
  const projectId = String(project.id);
  const path = { project_id: projectId };
  const alerts = useQuery({
    ...answer('/api/projects/{project_id}/alerts', { path, query: { limit: 100 } }),
    enabled: can('alert:read'),
  });
  const warnings = useQuery({
    ...answer('/api/projects/{project_id}/ingestion_warnings', { path, query: { limit: 1 } }),
    enabled: can('event:read'),
  });
  const raised = (alerts.data?.results ?? []).filter(({ state }) => state === 'Firing' || state === 'Errored');
  const [warning] = warnings.data?.results ?? [];
  if (raised.length === 0 && !warning) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      title="Needs a look"
      role="region"
      aria-label="Needs a look"
    >
      <Stack gap={4}>
        {raised.map(({ id, name, state, insight, last_value }) => (
          <Text key={id} size="sm" style={{ overflowWrap: 'anywhere' }}>
            Alert{' '}
            <Anchor component={Link} to={`/p/${projectId}/alerts/${id}`} inherit c="inherit" underline="always">
              {name}
            </Anchor>{' '}
            {state === 'Errored'
              ? 'could not be checked'
              : `fires${last_value === null ? '' : `: ${formatNumber(last_value)}`}`}
            {insight.name ? ` (${insight.name})` : ''}
          </Text>
        ))}
        {warning && (
          <Text size="sm">
            <Anchor component={Link} to={`/p/${projectId}/settings/data`} inherit c="inherit" underline="always">
              {formatCount(warnings.data?.count ?? 0, 'ingestion warning')}
            </Anchor>
            , the latest {formatAgo(warning.created_at)}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
