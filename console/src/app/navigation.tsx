import {
  IconActivityHeartbeat,
  IconAffiliate,
  IconBell,
  IconBookmarks,
  IconBuilding,
  IconChartBar,
  IconDatabaseSearch,
  IconFlag,
  IconHome,
  IconListDetails,
  IconSettings,
  IconUsers,
  type Icon,
} from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import classes from './list-item.module.css';

interface Item {
  readonly label: string;
  readonly path: string;
  /** The first part of the addresses at which the item is current. */
  readonly room: string;
  readonly icon: Icon;
}

export const items: readonly Item[] = [
  { label: 'Overview', path: 'overview', room: 'overview', icon: IconHome },
  { label: 'Live', path: 'live', room: 'live', icon: IconActivityHeartbeat },
  {
    label: 'Insights',
    path: 'insights/trends',
    room: 'insights',
    icon: IconChartBar,
  },
  { label: 'Saved', path: 'saved', room: 'saved', icon: IconBookmarks },
  { label: 'Persons', path: 'persons', room: 'persons', icon: IconUsers },
  { label: 'Accounts', path: 'accounts', room: 'accounts', icon: IconBuilding },
  { label: 'Cohorts', path: 'cohorts', room: 'cohorts', icon: IconAffiliate },
  { label: 'Alerts', path: 'alerts', room: 'alerts', icon: IconBell },
  { label: 'Flags', path: 'flags', room: 'flags', icon: IconFlag },
  { label: 'SQL', path: 'sql', room: 'sql', icon: IconDatabaseSearch },
  {
    label: 'Catalogue',
    path: 'catalogue',
    room: 'catalogue',
    icon: IconListDetails,
  },
  {
    label: 'Settings',
    path: 'settings/project',
    room: 'settings',
    icon: IconSettings,
  },
];

export function Navigation({ projectId }: { projectId: string }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [, , , currentRoom] = pathname.split('/');
  const room = currentRoom === 'dashboards' ? 'saved' : currentRoom;
  return (
    <nav aria-label="Pages">
      {items.map(({ label, path, room: ownRoom, icon: ItemIcon }) => {
        const href = `/p/${projectId}/${path}`;
        return (
          <a
            key={path}
            className={`mantine-focus-auto ${classes.item}`}
            href={href}
            aria-current={room === ownRoom ? 'page' : undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              void navigate({ to: href });
            }}
          >
            <ItemIcon size={18} stroke={1.7} aria-hidden />
            <span className={classes.label}>{label}</span>
          </a>
        );
      })}
    </nav>
  );
}
