import { Group, Paper, Title, type PaperProps } from '@mantine/core';
import { type ReactNode } from 'react';

interface CardProps extends Pick<PaperProps, 'mih' | 'p'> {
  readonly title: string;
  /** At the right of the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** One of several things that a page shows beside each other. */
export function Card({ title, aside, children, ...props }: CardProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title} miw={0} {...props}>
      <Group justify="space-between" mb="xs" gap="xs" wrap="nowrap">
        <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}
