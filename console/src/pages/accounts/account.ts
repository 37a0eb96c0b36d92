import { answer } from '../../api/client';
import { type Account, type AccountType } from '../../api/types';

/** The props of every part of the page of an account. */
export interface AccountProps {
  readonly projectId: string;
  readonly account: Account;
}

/** The path parameters of the account's routes. */
export const pathOf = (projectId: string, { id }: Account) => ({ project_id: projectId, id });

export const accountTypesQuery = (projectId: string) =>
  answer('/api/projects/{project_id}/groups_types', { path: { project_id: projectId } });

export const nameOfType = ({ name_plural: plural, group_type: type }: AccountType): string => plural ?? type;
