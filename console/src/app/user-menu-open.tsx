import { Menu, useMantineColorScheme } from '@mantine/core';
import { IconBook, IconLogout, IconMoon, IconSun, IconSunMoon } from '@tabler/icons-react';
import { type User } from '../api/types';
import { useOpening } from '../ui/on-demand';
import { useSignOut } from './use-sign-out';
import { UserButton } from './user-button';

/** The first page needs neither the menu nor its parts. */
export function UserMenuOpen({ user }: { readonly user: User | null }) {
  const { button, menu } = useOpening();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();

  return (
    <Menu position="top-start" width={210} {...menu}>
      <Menu.Target>
        <UserButton ref={button} user={user} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Theme</Menu.Label>
        {(
          [
            ['light', 'Light', IconSun],
            ['dark', 'Dark', IconMoon],
            ['auto', 'System', IconSunMoon],
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
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
