import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../../api/accounts';

/** True if the signed-in user owns the installation. */
export const useIsOwner = (): boolean => {
  const { data } = useQuery(accountQuery);
  return data?.is_owner === true;
};
