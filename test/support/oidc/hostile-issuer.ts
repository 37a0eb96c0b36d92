import { createHash, createHmac, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Claims = Readonly<Record<string, unknown>>;

/** The faults of the issuer. Each field replaces the honest behaviour. */
export interface Hostility {
  readonly metadata?: Claims;
  /** Parameters with which the browser is led back. */
  readonly answer?: (honest: Record<string, string>) => Record<string, string>;
  readonly claims?: (honest: Claims) => Claims;
  readonly sign?: (claims: Claims, honest: typeof signed) => string;
  /** The body of the token endpoint. */
  readonly tokens?: (honest: Claims) => Claims;
  readonly userinfo?: Claims;
  /** Paths that do not answer as they should. */
  readonly broken?: Readonly<Record<string, 'close' | 'error' | 'hang' | 'page'>>;
  /** Answers by path, in place of the honest ones. */
  readonly answers?: Readonly<Record<string, (response: ServerResponse) => void>>;
}

export interface HostileIssuer {
  readonly url: string;
  /** How often each path was requested. */
  readonly requests: Map<string, number>;
  set(hostility: Hostility): void;
  stop(): Promise<void>;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const ownKey = newKey();
export const foreignKey = newKey();

/** A JSON web token with any header. */
export const signed = (claims: Claims, header: Claims = { alg: 'RS256', kid: 'one' }, key = ownKey): string => {
  const content = `${encoded(header)}.${encoded(claims)}`;
  return `${content}.${createSign('sha256').update(content).sign(key.privateKey).toString('base64url')}`;
};

export const unsigned = (claims: Claims): string => `${encoded({ alg: 'none' })}.${encoded(claims)}.`;

/** The public key as a shared secret, which fools libraries that let the token choose how it is verified. */
export const signedByPublicKey = (claims: Claims): string => {
  const content = `${encoded({ alg: 'HS256', kid: 'one' })}.${encoded(claims)}`;
  const secret = ownKey.publicKey.export({ format: 'pem', type: 'spki' });
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
};

interface Begun {
  readonly nonce: string;
  readonly challenge: string;
}

/** An issuer that does what providers never do. Honest where it is not set to be otherwise. */
export const startHostileIssuer = async (): Promise<HostileIssuer> => {
  let hostility: Hostility = {};
  const requests = new Map<string, number>();
  const codes = new Map<string, Begun>();
  let url = '';

  const metadata = () => ({
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    userinfo_endpoint: `${url}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...hostility.metadata,
  });

  const authorize = (requested: URLSearchParams, response: ServerResponse): void => {
    const code = randomUUID();
    codes.set(code, { nonce: requested.get('nonce') ?? '', challenge: requested.get('code_challenge') ?? '' });
    const honest = { code, state: requested.get('state') ?? '', iss: url };
    const back = new URL(requested.get('redirect_uri') ?? url);
    back.search = new URLSearchParams(hostility.answer?.(honest) ?? honest).toString();
    response.writeHead(303, { location: back.href }).end();
  };

  const token = (sent: URLSearchParams, response: ServerResponse): void => {
    const begun = codes.get(sent.get('code') ?? '');
    codes.delete(sent.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    if (begun?.challenge !== challenge) return json(response, { error: 'invalid_grant' }, 400);
    const now = Math.floor(Date.now() / 1000);
    const honest = {
      ...{ iss: url, sub: 'ada', aud: 'kohort', iat: now, exp: now + 300, nonce: begun.nonce },
      ...{ email: 'ada@example.test', email_verified: true },
    };
    const claims = hostility.claims?.(honest) ?? honest;
    const id_token = hostility.sign?.(claims, signed) ?? signed(claims);
    const body = { access_token: 'secret-access-token', token_type: 'Bearer', expires_in: 300, id_token };
    json(response, hostility.tokens?.(body) ?? body);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://issuer');
    requests.set(pathname, (requests.get(pathname) ?? 0) + 1);
    const answer = hostility.answers?.[pathname];
    if (answer) return answer(response);
    const fault = hostility.broken?.[pathname];
    if (fault === 'hang') return;
    if (fault === 'close') return void request.socket.destroy();
    if (fault === 'error') return json(response, { error: 'server_error' }, 500);
    if (fault === 'page') return void response.setHeader('content-type', 'text/html').end('<h1>secret page</h1>');
    const jwk = { ...ownKey.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
    if (pathname === '/.well-known/openid-configuration') json(response, metadata());
    else if (pathname === '/jwks') json(response, { keys: [jwk] });
    else if (pathname === '/authorize') authorize(searchParams, response);
    else if (pathname === '/token') token(new URLSearchParams(await text(request)), response);
    else json(response, { sub: 'ada', ...hostility.userinfo });
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    set: (next) => {
      hostility = next;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
};

const json = (response: ServerResponse, body: object, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
