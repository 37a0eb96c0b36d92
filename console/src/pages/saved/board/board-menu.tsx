import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconDots, IconHistory, IconLink, IconMail, IconPencil, IconPrinter } from '@tabler/icons-react';
import { usePrint } from './use-print';

/** Minutes after which the tiles may be read again by themselves. */
const intervals = [1, 5, 15, 60];

export const minutesOf = (value: unknown): number | undefined => intervals.find((each) => each === value);

interface BoardMenuProps {
  readonly minutes: number | undefined;
  readonly onMinutes: (minutes: number | undefined) => void;
  /** Null if the user may not change the dashboard. */
  readonly onRename: (() => void) | null;
  readonly onShare: (() => void) | null;
  readonly onSchedule: (() => void) | null;
  /** Null if the user may not read the activity. */
  readonly onHistory: (() => void) | null;
}

export function BoardMenu({ minutes, onMinutes, onRename, onShare, onSchedule, onHistory }: BoardMenuProps) {
  const print = usePrint();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="More about the dashboard">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onRename && (
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onRename}>
            Rename
          </Menu.Item>
        )}
        {onShare && (
          <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={onShare}>
            Share by a link
          </Menu.Item>
        )}
        {onSchedule && (
          <Menu.Item leftSection={<IconMail size={16} aria-hidden />} onClick={onSchedule}>
            Send on a schedule
          </Menu.Item>
        )}
        {onHistory && (
          <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={onHistory}>
            History
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconPrinter size={16} aria-hidden />} onClick={print}>
          Print or save as PDF
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Refresh by itself</Menu.Label>
        {[undefined, ...intervals].map((each) => (
          <Menu.Item
            key={each ?? 0}
            role="menuitemradio"
            aria-checked={each === minutes}
            rightSection={each === minutes && <IconCheck size={16} aria-hidden />}
            onClick={() => onMinutes(each)}
          >
            {each === undefined ? 'Never' : `Every ${each} min`}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
