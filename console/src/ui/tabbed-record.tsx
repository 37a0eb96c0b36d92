import { Skeleton, Stack, Tabs } from '@mantine/core';
import { type ComponentType } from 'react';
import { useOpenProject } from '../address/project-context';
import { textOf, useQuestion } from '../address/search';

export interface RecordTab<Props> {
  readonly name: string;
  readonly label: string;
  /** The scopes that the user needs to open it. */
  readonly scopes?: readonly string[] | ((props: Props) => readonly string[]);
  readonly isFor?: (props: Props) => boolean;
  /** A tab in which something is written stays as it is while another one is open. */
  readonly staysMounted?: boolean;
  readonly Content: ComponentType<Props>;
}

interface TabbedRecordProps<Props> {
  readonly tabs: readonly RecordTab<Props>[];
  /** The props of each tab. */
  readonly of: Props;
}

/** The tabs of a record that the user may open. The address names the open one. */
export function TabbedRecord<Props extends object>({ tabs, of }: TabbedRecordProps<Props>) {
  const { can } = useOpenProject();
  const [question, ask] = useQuestion();
  const shown = tabs.filter(({ scopes = [], isFor }) => {
    const needed = typeof scopes === 'function' ? scopes(of) : scopes;
    return needed.every(can) && (isFor?.(of) ?? true);
  });
  const open = shown.find(({ name }) => name === textOf(question['tab'])) ?? shown[0];
  return (
    <Tabs value={open?.name ?? null} onChange={(name) => ask({ tab: name ?? undefined })}>
      <Tabs.List mb="md" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
        {shown.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name} style={{ flexShrink: 0 }}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map(({ name, Content, staysMounted = false }) => (
        <Tabs.Panel key={name} value={name}>
          {(staysMounted || name === open?.name) && <Content {...of} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** Replaces the record until it has come. */
export function RecordSkeleton({ label }: { readonly label: string }) {
  return (
    <Stack role="status" aria-busy aria-label={label}>
      <Skeleton height={60} />
      <Skeleton height={320} />
    </Stack>
  );
}
