import { Button } from '@mantine/core';
import { IconChevronDown, IconShare } from '@tabler/icons-react';
import { type ComponentProps } from 'react';
import { type InsightHead, type InsightKind } from '../../../insights/kind';
import { type Params } from '../../../insights/question/params';

export interface Shared {
  readonly kind: InsightKind;
  /** The parameters of the address, which may be newer than the answer. */
  readonly params: Params;
  readonly answer: { readonly insight: InsightHead; readonly params: Params } | null;
  /** Null while no picture is drawn. */
  readonly toPng: (() => string) | null;
}

export function ShareButton(props: Omit<ComponentProps<'button'>, 'style' | 'color'>) {
  return (
    <Button
      {...props}
      variant="default"
      leftSection={<IconShare size={16} aria-hidden />}
      rightSection={<IconChevronDown size={14} aria-hidden />}
    >
      Share
    </Button>
  );
}
