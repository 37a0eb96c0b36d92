import { Group, Loader, Paper, Text } from '@mantine/core';
import { type ReactNode } from 'react';
import { type Schemas } from '../../../api/types';
import { actorsOf } from '../../../insights/actors';
import { useAccountTypes } from '../../../filters/account-types';
import { formatCount, formatNumber } from '../../../ui/format';
import { SharesBar } from './shares-bar';

interface CountBarProps {
  readonly preview: Schemas['FlagPreviewDto'] | undefined;
  readonly isCounting: boolean;
  /** What must be right before it can be counted. */
  readonly fault: string | null;
  /** How many filters are not complete yet and are left out of the count. */
  readonly unfinished: number;
  readonly actions: ReactNode;
}

/** Who gets what, while the flag is being written. */
export function CountBar({ preview, isCounting, fault, unfinished, actions }: CountBarProps) {
  const [one, many] = actorsOf(useAccountTypes(), preview?.group_type_index ?? null).noun;
  const shares =
    preview === undefined
      ? []
      : preview.variants.length === 0
        ? [{ label: 'on', count: preview.enabled }]
        : preview.variants.map(({ key, count }) => ({ label: key, count }));
  return (
    <Paper
      withBorder
      shadow="sm"
      p="sm"
      pos="sticky"
      top="calc(var(--app-shell-header-height, 0px) + 8px)"
      style={{ zIndex: 10 }}
      component="section"
      aria-label="Who gets what"
    >
      <Group justify="space-between" gap="sm" align="flex-start">
        <div style={{ minWidth: 0, flex: '1 1 240px' }}>
          <Group gap={8} role="status" align="baseline" mb={6}>
            <Text fz={24} fw={650} lh={1.2} className="numbers" c={isCounting ? 'dimmed' : undefined}>
              {preview === undefined ? '–' : formatNumber(preview.enabled)}
            </Text>
            <Text size="sm">
              {preview === undefined
                ? (fault ?? 'Counting')
                : `of ${formatCount(preview.total, one, many)} get it at this moment`}
              {unfinished > 0 && `, without ${formatCount(unfinished, 'unfinished filter')}`}
            </Text>
            {isCounting && <Loader size={14} role="img" aria-label="Counting" />}
          </Group>
        </div>
        <Group gap="xs">{actions}</Group>
      </Group>
      {preview !== undefined && <SharesBar shares={shares} total={preview.total} />}
    </Paper>
  );
}
