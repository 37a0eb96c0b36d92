import { NavLink } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { type ComponentProps } from 'react';
import { personName } from '../api/accounts';
import { type User } from '../api/types';

/** The name of the signed-in user, at the foot of the pages' list. */
export function UserButton({
  user,
  ...props
}: { readonly user: User | null } & Omit<ComponentProps<'button'>, 'onChange'>) {
  return (
    <NavLink
      {...props}
      component="button"
      type="button"
      label={user ? personName(user) : 'Account'}
      leftSection={<IconUser size={18} stroke={1.7} aria-hidden />}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  );
}
