import { type Account } from '../../api/types';

/** The props of every part of the page of an account. */
export interface AccountProps {
  readonly projectId: string;
  readonly account: Account;
}

/** The path parameters of the account's routes. */
export const pathOf = (projectId: string, { id }: Account) => ({ project_id: projectId, id });
