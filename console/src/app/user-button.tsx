import { IconUser } from '@tabler/icons-react';
import { type ComponentProps } from 'react';
import { personName } from '../api/accounts';
import { type User } from '../api/types';
import classes from './list-item.module.css';

/** The name of the signed-in user, at the foot of the pages' list. */
export function UserButton({
  user,
  ...props
}: { readonly user: User | null } & Omit<ComponentProps<'button'>, 'onChange'>) {
  return (
    <button {...props} type="button" className={`mantine-focus-auto ${classes.item}`}>
      <IconUser size={18} stroke={1.7} aria-hidden />
      <span className={classes.label}>{user ? personName(user) : 'Account'}</span>
    </button>
  );
}
