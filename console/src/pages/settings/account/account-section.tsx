import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Me } from '../../../api/accounts';
import { accountQuery } from '../../../app/account';
import { NameForm } from './name-form';
import { PasswordForm } from './password-form';
import { Sessions } from './sessions';

/** The signed-in user's own name, password and sessions. */
export function AccountSection() {
  const { data } = useQuery(accountQuery);
  if (!data) return <Skeleton h={200} />;
  const me = data as Me;
  return (
    <>
      <NameForm me={me} />
      <PasswordForm me={me} />
      <Sessions />
    </>
  );
}
