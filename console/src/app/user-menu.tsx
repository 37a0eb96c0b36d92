import { Menu, NavLink, useMantineColorScheme } from '@mantine/core';
import { IconBook, IconLogout, IconMoon, IconSun, IconSunMoon, IconUser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type User } from '../api/types';

const nameOf = ({ first_name, last_name, email }: User): string => `${first_name} ${last_name}`.trim() || email;

export function UserMenu({ user }: { user: User | null }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const queryClient = useQueryClient();
  const navigate = useNavigate();

  const signOut = async (): Promise<void> => {
    await fetch('/api/sessions/@current', { method: 'DELETE' });
    queryClient.clear();
    await navigate({ to: '/sign-in' });
  };

  return (
    <Menu position="top-start" width={210}>
      <Menu.Target>
        <NavLink
          component="button"
          type="button"
          label={user ? nameOf(user) : 'Account'}
          leftSection={<IconUser size={18} stroke={1.7} aria-hidden />}
          style={{ borderRadius: 'var(--mantine-radius-md)' }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Colours</Menu.Label>
        {(
          [
            ['light', 'Light', IconSun],
            ['dark', 'Dark', IconMoon],
            ['auto', 'As the system', IconSunMoon],
          ] as const
        ).map(([scheme, label, SchemeIcon]) => (
          <Menu.Item
            key={scheme}
            leftSection={<SchemeIcon size={16} aria-hidden />}
            aria-current={colorScheme === scheme ? 'true' : undefined}
            fw={colorScheme === scheme ? 650 : undefined}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook size={16} aria-hidden />}>
          API documentation
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
