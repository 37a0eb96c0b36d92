import { lazy, Suspense, useState } from 'react';
import { type User } from '../api/types';
import { UserButton } from './user-button';

const load = () => import('./user-menu-open');
const UserMenuOpen = lazy(load);

export function UserMenu({ user }: { readonly user: User | null }) {
  const [isOpened, setOpened] = useState(false);
  const button = (
    <UserButton
      user={user}
      aria-haspopup="menu"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setOpened(true)}
    />
  );
  return isOpened ? (
    <Suspense fallback={button}>
      <UserMenuOpen user={user} />
    </Suspense>
  ) : (
    button
  );
}
