import { type User } from '../api/types';
import { menuOnDemand } from '../ui/on-demand';
import { UserButton } from './user-button';

export const UserMenu = menuOnDemand(
  ({ user }: { readonly user: User | null }, use) => <UserButton user={user} {...use} />,
  async () => (await import('./user-menu-open')).UserMenuOpen,
);
