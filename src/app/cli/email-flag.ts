import { emailFault } from '../../auth/users/email.js';
import { UsageError } from './command.js';

/** Checks the e-mail of a user that may be new by the rules of the routes, before a store is opened. */
export const newUserEmail = (address: string): string => {
  const fault = emailFault(address);
  if (fault !== null) throw new UsageError(`--email ${fault}`);
  return address;
};
