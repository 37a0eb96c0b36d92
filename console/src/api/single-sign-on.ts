/** Why the service led a sign-in by the provider back to the sign-in page, as it tells programs. The address has the code only. */
export const refusals: Readonly<Record<string, string>> = {
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
  too_many_attempts: 'Too many sign-ins have failed: try again in 15 minutes',
};

/** The text is ours whatever the address says. */
export const refusalText = (code: string | undefined): string | null =>
  code !== undefined && Object.hasOwn(refusals, code) ? (refusals[code] ?? null) : null;

/** Begins a sign-in by the provider, after which the page at `path` opens. */
export const singleSignOnPath = (path: string): string => {
  const maxLength = 2000;
  const isPath = path !== '/' && path.length <= maxLength;
  return `/api/sessions/oidc/start${isPath ? `?return_to=${encodeURIComponent(path)}` : ''}`;
};
