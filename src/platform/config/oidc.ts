import { type Settings } from './settings.js';

/** The provider of single sign-on, and the projects and role that its new users get. */
export interface OidcConfig {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The text of the button of the sign-in page. */
  readonly name: string;
  /** The domains of e-mails that may sign in; null allows every domain. */
  readonly allowedDomains: readonly string[] | null;
  readonly assumesVerifiedEmails: boolean;
  readonly newUsers: {
    readonly projectIds: readonly number[];
    readonly role: Settings['OIDC_NEW_USER_ROLE'];
  };
}

export const oidcOf = (env: Settings): OidcConfig | null => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  const { OIDC_ALLOWED_DOMAINS: domains } = env;
  if (!issuer || clientId === null || clientSecret === null || domains === null) return null;
  return {
    ...{ issuer, clientId, clientSecret },
    name: env.OIDC_NAME ?? issuer.host,
    allowedDomains: domains === '*' ? null : domains,
    assumesVerifiedEmails: env.OIDC_ASSUME_VERIFIED_EMAILS,
    newUsers: { projectIds: env.OIDC_NEW_USER_PROJECTS, role: env.OIDC_NEW_USER_ROLE },
  };
};

const companions = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ALLOWED_DOMAINS'] as const;

/** Lists contradictions in these settings, a line for each. */
export const oidcFaults = (env: Settings): string[] => {
  const { OIDC_ISSUER: issuer } = env;
  const set = companions.filter((name) => env[name] !== null);
  if (!issuer) return set.map((name) => `${name} needs OIDC_ISSUER`);
  const missing = companions.filter((name) => !set.includes(name)).map((name) => `OIDC_ISSUER needs ${name}`);
  const isPlain = env.NODE_ENV === 'production' && issuer.protocol === 'http:';
  return [...missing, ...(isPlain ? ['OIDC_ISSUER must begin with https:// in production'] : [])];
};
