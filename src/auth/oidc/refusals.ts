import { Problem } from '../../platform/errors/problem.js';

export type SignOnReason =
  | 'not_begun'
  | 'provider_unavailable'
  | 'provider_refused'
  | 'answer_not_valid'
  | 'email_missing'
  | 'email_not_verified'
  | 'domain_not_allowed'
  | 'email_taken'
  | 'other_account';

/** Refuses a sign-in by the provider. The browser is sent back to the sign-in page, which shows the reason. */
export class SignOnRefusal extends Error {
  constructor(readonly reason: SignOnReason) {
    super(reason);
  }
}

const statuses: Readonly<Record<SignOnReason, 401 | 403 | 503>> = {
  not_begun: 401,
  provider_unavailable: 503,
  provider_refused: 401,
  answer_not_valid: 401,
  email_missing: 403,
  email_not_verified: 403,
  domain_not_allowed: 403,
  email_taken: 403,
  other_account: 403,
};

const details: Readonly<Record<SignOnReason, string>> = {
  not_begun:
    'This sign-in was not started in this browser, took longer than 10 minutes, or is completed already: start again',
  provider_unavailable:
    'The provider cannot be reached, or does not answer as it should: try again in a minute, or ask an administrator to check the log',
  provider_refused: 'The provider did not sign you in: try again, or ask its administrator whether you may use Kohort',
  answer_not_valid:
    'The provider’s response could not be verified: start again; if that does not help, ask an administrator to check the log',
  email_missing: 'The provider does not share your e-mail: ask its administrator to release it to Kohort',
  email_not_verified: 'The provider does not say that your e-mail is verified: verify it there, and start again',
  domain_not_allowed:
    'Accounts with the domain of your e-mail may not sign in: use your account at work, or ask an administrator to allow the domain',
  email_taken:
    'A user with your e-mail signs in with a password: sign in with it, and connect the provider in the settings of your account',
  other_account:
    'Another account of the provider is connected with the user of your e-mail: ask an owner of the installation to disconnect it',
};

export const signOnReasons = Object.keys(statuses) as SignOnReason[];

const codes = { 401: 'authentication_failed', 403: 'permission_denied', 503: 'unavailable' } as const;

export const problemOfRefusal = ({ reason }: SignOnRefusal): Problem => {
  const status = statuses[reason];
  const headers: Record<string, string> = status === 503 ? { 'Retry-After': '60' } : {};
  const type = status === 503 ? 'server_error' : 'authentication_error';
  return new Problem(status, type, codes[status], details[reason], null, headers);
};
