import { Badge, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type Cohort } from '../../api/types';
import { useProject } from '../../address/project-context';
import { formatAgo, formatTime } from '../../ui/format';
import { kindLabels, kindMeanings, kindOf } from './cohort';

export function KindBadge({ cohort }: { readonly cohort: Cohort }) {
  const kind = kindOf(cohort);
  return (
    <Badge variant="default" tt="none" fw={500} title={kindMeanings[kind]}>
      {kindLabels[kind]}
    </Badge>
  );
}

/** Shows that the cohort is being calculated or has failed, or when its members were calculated. */
export function CohortState({ cohort }: { readonly cohort: Cohort }) {
  const { timezone } = useProject();
  const { is_calculating, calculation_error, last_calculation } = cohort;
  if (is_calculating)
    return (
      <Group gap={6} wrap="nowrap" role="status">
        <Loader size={14} aria-hidden />
        <Text size="sm">Calculating…</Text>
      </Group>
    );
  if (calculation_error)
    return (
      <Group gap={6} wrap="nowrap" align="flex-start" c="var(--mantine-color-error)">
        <IconAlertTriangle size={16} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
        <Text size="sm" lineClamp={2} title={calculation_error.detail} style={{ overflowWrap: 'anywhere' }}>
          Failed: {calculation_error.detail}
        </Text>
      </Group>
    );
  if (last_calculation === null)
    return (
      <Text size="sm" c="dimmed">
        {kindOf(cohort) === 'static' ? 'By hand' : 'Not calculated yet'}
      </Text>
    );
  return (
    <Text size="sm" component="time" dateTime={last_calculation} title={formatTime(last_calculation, timezone)}>
      {formatAgo(last_calculation)}
    </Text>
  );
}
