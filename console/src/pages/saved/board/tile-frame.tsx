import { ActionIcon, Group, Menu, Paper } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import classes from './tile-frame.module.css';

export interface TileControls {
  readonly onEarlier: (() => void) | null;
  readonly onLater: (() => void) | null;
  readonly isWide: boolean;
  readonly onWidth: () => void;
  readonly onEdit?: () => void;
  readonly onRemove: () => void;
}

interface TileFrameProps {
  readonly name: string;
  readonly title: ReactNode;
  readonly grip: ReactNode;
  readonly controls: TileControls | null;
  readonly children: ReactNode;
}

/** The frame of a tile: its title, what changes it, and what it shows. */
export function TileFrame({ name, title, grip, controls, children }: TileFrameProps) {
  const body = useFill();
  return (
    <Paper withBorder p="md" component="section" aria-label={name} className={classes.frame}>
      <Group justify="space-between" wrap="nowrap" mb="xs" gap="xs" align="flex-start">
        {grip}
        <div style={{ minWidth: 0, flex: 1 }}>{title}</div>
        {controls && <TileMenu name={name} controls={controls} />}
      </Group>
      <div ref={body} className={classes.body}>
        <div>{children}</div>
      </div>
    </Paper>
  );
}

export function TileMenu({ name, controls }: { readonly name: string; readonly controls: TileControls }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon className="no-print" variant="subtle" color="gray" aria-label={`Change the tile ${name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {controls.onEdit && <Menu.Item onClick={controls.onEdit}>Edit</Menu.Item>}
        <Menu.Item disabled={!controls.onEarlier} onClick={() => controls.onEarlier?.()}>
          Move earlier
        </Menu.Item>
        <Menu.Item disabled={!controls.onLater} onClick={() => controls.onLater?.()}>
          Move later
        </Menu.Item>
        <Menu.Item onClick={controls.onWidth}>{controls.isWide ? 'Half the width' : 'Whole width'}</Menu.Item>
        <Menu.Item color="red" onClick={controls.onRemove}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Lets keys scroll what is cut off and has nothing else that can be focused. */
const reachByKeys = (scrolled: HTMLElement): void => {
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = scrolled;
  const isCut = scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1;
  if (isCut && !scrolled.querySelector('a, button:enabled')) scrolled.tabIndex = 0;
  else scrolled.removeAttribute('tabindex');
};

/** Lets a picture take the height that the rest of the tile leaves to it. */
export const useFill = () => {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const outer = body.current;
    const inner = outer?.firstElementChild;
    if (!outer || !inner) return;
    const fit = (): void => {
      for (const one of [outer, ...inner.querySelectorAll<HTMLElement>('[data-scrollarea-viewport]')]) reachByKeys(one);
      const [picture, ...more] = inner.querySelectorAll<HTMLElement>('[data-picture]');
      if (!picture || more.length > 0) return;
      const rest = inner.clientHeight - picture.clientHeight;
      outer.style.setProperty('--picture-height', `${Math.max(0, outer.clientHeight - rest)}px`);
    };
    const watcher = new ResizeObserver(fit);
    watcher.observe(outer);
    watcher.observe(inner);
    return () => watcher.disconnect();
  }, []);
  return body;
};
