import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';

/** Where `notifyDone` and `notifyProblem` show their messages. */
export function Messages() {
  return <Notifications position="bottom-right" />;
}
