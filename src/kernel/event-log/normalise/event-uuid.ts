import { V7Generator } from 'uuidv7';
import { accept, type Checked, refuse } from './checked.js';
import { isUuid } from '../../../platform/values/ids.js';

/** The sender's uuid in lower case; null when none was sent. */
export const senderUuid = (value: unknown): Checked<string | null> => {
  if (value === undefined || value === null || value === '') return accept(null);
  if (typeof value === 'string' && isUuid(value)) return accept(value.toLowerCase());
  return refuse('invalid_input', 'uuid must have the form xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx');
};

const generator = new V7Generator();
// Each uuid takes the time of its own event, even when the last uuid has a later one, because events do not arrive in the order
// they happened.
generator.setRollbackAllowance(0);

/** Version 7 counts from 1970; an earlier event gets a uuid of that moment. */
export const uuidAt = (time: Date): string => generator.generateOrResetWithTs(Math.max(0, time.getTime())).toString();
