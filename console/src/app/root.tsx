import { useNotifications } from '@mantine/notifications';
import { Outlet } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '../ui/later';

export function Root() {
  return (
    <>
      <Outlet />
      <MessagesOnDemand />
    </>
  );
}

const Messages = lazyPart(async () => (await import('./messages')).Messages);

/** Loaded when there is a first message. */
function MessagesOnDemand() {
  const { notifications } = useNotifications();
  const [wereSome, setWereSome] = useState(false);
  if (notifications.length > 0 && !wereSome) setWereSome(true);
  return (
    wereSome && (
      <Suspense>
        <Messages />
      </Suspense>
    )
  );
}
