import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

export const clientOfTests = { id: 'kohort', secret: 'a secret of the tests: 50% + more' } as const;

export const oidcSettings = (issuer: string): Record<string, string> => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientOfTests.id,
  OIDC_CLIENT_SECRET: clientOfTests.secret,
  OIDC_ALLOWED_DOMAINS: 'example.test, other.test',
  OIDC_NAME: 'Test Identity',
});

export interface RealIssuer {
  readonly url: string;
  /** Lets the service at this address be its client, from now on. */
  serve(service: string): void;
  /** The account in which the next browser signs in; null: its user says no. */
  setAccount(claims: { readonly sub: string } & Readonly<Record<string, unknown>>): void;
  denyNext(): void;
  /** An access token with these claims, signed by the key that the provider publishes. */
  sign(claims: object): string;
  stop(): Promise<void>;
}

const configurationOf = (service: string, accounts: Map<string, object>, privateKey: KeyObject): Configuration => {
  return {
    clients: [
      {
        client_id: clientOfTests.id,
        client_secret: clientOfTests.secret,
        redirect_uris: [`${service}/api/sessions/oidc/callback`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name', 'name'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts.get(id) }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    // The service is a client of the same house, so no user is asked for a consent.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    // So that it is the service that insists on PKCE.
    pkce: { required: () => false },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomUUID()] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
  };
};

/** A certified provider in this process. It has no pages: a browser is signed in as the account that the test sets. */
export const startRealIssuer = async (): Promise<RealIssuer> => {
  const accounts = new Map<string, object>();
  let current = '';
  let denies = false;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let handle: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => response.end();
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    serve: (service) => {
      const provider = new Provider(url, configurationOf(service, accounts, privateKey));
      const pages = provider.callback();
      handle = (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return void pages(request, response);
        const result = denies ? { error: 'access_denied' } : { login: { accountId: current } };
        denies = false;
        provider
          .interactionFinished(request, response, result)
          .catch((error: unknown) => response.destroy(error as Error));
      };
    },
    setAccount: ({ sub, ...claims }) => {
      accounts.set(sub, claims);
      current = sub;
    },
    denyNext: () => {
      denies = true;
    },
    sign: (claims) => {
      const parts = [{ alg: 'RS256', typ: 'at+jwt', kid: 'one' }, claims];
      const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
};
