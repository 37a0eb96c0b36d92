import { Anchor, Group, Loader, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { type Schemas } from '../../../api/types';
import { useActors } from '../../../insights/actors';
import { formatNumber } from '../../../ui/format';
import { Warnings } from '../../../ui/warnings';

interface PreviewBarProps {
  readonly projectId: string;
  readonly preview: Schemas['PreviewDto'] | undefined;
  readonly isCounting: boolean;
  readonly hasError: boolean;
  /** How many criteria are not complete yet and are left out of the count. */
  readonly omitted: number;
  readonly isEmpty: boolean;
  readonly actions: ReactNode;
}

/** Some of the members with their pages. */
const sampleOf = ({ results = [], groups }: Partial<Schemas['PreviewDto']> = {}) =>
  (groups
    ? groups.map(({ id, name }) => ({ page: `accounts/${id}`, name }))
    : results.map(({ uuid, name }) => ({ page: `persons/${uuid}`, name }))
  ).slice(0, 5);

/** The number of members that the definition describes, while it is being written. */
export function PreviewBar(props: PreviewBarProps) {
  const { projectId, preview, isCounting, hasError, omitted, isEmpty, actions } = props;
  const count = hasError || isEmpty ? undefined : preview?.count;
  const [one, many] = useActors().noun;
  const [shown, rest] = [sampleOf(preview), (preview?.count ?? 0) - 5];
  return (
    <Paper
      withBorder
      shadow="sm"
      p="sm"
      pos="sticky"
      top="calc(var(--app-shell-header-height, 0px) + 8px)"
      style={{ zIndex: 10 }}
    >
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0, flex: '1 1 240px' }}>
          <Group gap={8} role="status" align="baseline">
            <Text fz={24} fw={650} lh={1.2} className="numbers" c={isCounting ? 'dimmed' : undefined}>
              {count === undefined ? '–' : formatNumber(count)}
            </Text>
            <Text size="sm">
              {count === 1 ? one : many} at this moment
              {omitted > 0 && count !== undefined && `, without ${unfinished(omitted)}`}
            </Text>
            {isCounting && <Loader size={14} role="img" aria-label="Counting" />}
          </Group>
          {count !== undefined && count > 0 && (
            <Text size="xs" c="dimmed" lineClamp={1} component="div">
              {shown.map(({ page, name }, index) => (
                <span key={page}>
                  {index > 0 && ', '}
                  <Anchor component={Link} to={`/p/${projectId}/${page}`} size="xs">
                    {name}
                  </Anchor>
                </span>
              ))}
              {rest > 0 && ` and ${formatNumber(rest)} more`}
            </Text>
          )}
          {count !== undefined && <Warnings warnings={preview?.warnings ?? []} />}
          {isEmpty && (
            <Text size="xs" c="dimmed">
              {omitted > 0
                ? `Counting starts when ${unfinished(omitted)} is complete.`
                : `Add a criterion to count ${many}.`}
            </Text>
          )}
        </div>
        <Group gap="xs">{actions}</Group>
      </Group>
    </Paper>
  );
}

const unfinished = (count: number): string =>
  count === 1 ? 'the unfinished criterion' : `the ${count} unfinished criteria`;
