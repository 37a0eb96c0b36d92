import { useQuery } from '@tanstack/react-query';
import { type Me } from '../../../api/accounts';
import { accountQuery } from '../../../api/account';

/** Whether the signed-in user owns the installation. */
export const useIsOwner = (): boolean => {
  const { data } = useQuery(accountQuery);
  return (data as Partial<Me> | undefined)?.is_owner === true;
};
