import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../../api/accounts';
import { NameForm } from './name-form';
import { PasswordForm } from './password-form';
import { Sessions } from './sessions';
import { SingleSignOn } from './single-sign-on';

/** The signed-in user's own name, password and sessions. */
export function AccountSection() {
  const { data: me } = useQuery(accountQuery);
  if (!me) return <Skeleton h={200} />;
  return (
    <>
      <NameForm me={me} />
      <PasswordForm me={me} />
      <SingleSignOn me={me} />
      <Sessions />
    </>
  );
}
