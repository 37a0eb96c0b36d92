import { type SignOnReason, SignOnRefusal } from './refusals.js';
import { Inject, Injectable } from '@nestjs/common';
import type { JWTVerifyGetKey } from 'jose';
import type * as OpenidClient from 'openid-client';
import { notFound } from '../../platform/errors/problem.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { Config } from '../../platform/config/config.js';
import { type OidcConfig } from '../../platform/config/oidc.js';
import { type Claims, type SignOnAccount, readAccount } from './sign-on-account.js';
import { type SignOnBinding } from './sign-on-attempts.js';

/** A failure at the provider. It may be logged, because it contains no authorization code and no token. */
interface ProviderFault {
  readonly reason: SignOnReason;
  readonly code: string;
  readonly detail: string | null;
}

/**
 * Codes of errors whose messages may be logged: they name a claim without its value. Other messages may quote an answer, and so a
 * token.
 */
const harmless = new Set([
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
]);

const answerTooLarge = 'ANSWER_TOO_LARGE';

const unavailable = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', answerTooLarge]);

const plainCode = /^\w{1,60}$/;

/** Recognises errors of `openid-client` by their codes, so that the library need not be loaded for this. */
const faultOf = (error: unknown): ProviderFault => {
  if (!(error instanceof Error)) return { reason: 'answer_not_valid', code: 'unknown', detail: null };
  const { code, error: answered, status, cause } = error as Error & Partial<Record<string, unknown>>;
  const named = typeof answered === 'string' && plainCode.test(answered) ? answered : 'unknown';
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') {
    const isDown = named === 'temporarily_unavailable' || named === 'server_error';
    return { reason: isDown ? 'provider_unavailable' : 'provider_refused', code: named, detail: null };
  }
  if (code === 'OAUTH_RESPONSE_BODY_ERROR') {
    const isOurs = named === 'invalid_grant' && Number(status) < 500;
    return { reason: isOurs ? 'answer_not_valid' : 'provider_unavailable', code: named, detail: null };
  }
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE')
    return { reason: 'provider_unavailable', code: 'invalid_client', detail: null };
  if (error instanceof TypeError && error.message === 'fetch failed')
    return { reason: 'provider_unavailable', code: codeOfCause(cause), detail: null };
  if (typeof code !== 'string') return { reason: 'answer_not_valid', code: error.name, detail: null };
  const detail = harmless.has(code) && cause instanceof Error ? cause.message : null;
  return { reason: unavailable.has(code) ? 'provider_unavailable' : 'answer_not_valid', code, detail };
};

const codeOfCause = (cause: unknown): string => {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'fetch failed';
};

/** The limit for an answer. Discovery documents, keys and tokens have a few thousand bytes. */
const maxAnswerBytes = 1024 ** 2;

/** Fetches a whole answer within the time-out of the request, but not more than `maxAnswerBytes`. */
const boundedFetch = async (url: string, options: object): Promise<Response> => {
  const answer = await fetch(url, options);
  if (!answer.body) return answer;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    // Leaving the loop closes the connection. A TypeError is thrown, as by `fetch`, because the library passes on no other error.
    if (bytes > maxAnswerBytes) throw Object.assign(new TypeError('The answer is too large'), { code: answerTooLarge });
    chunks.push(chunk);
  }
  const { status, statusText, headers } = answer;
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
};

const timeoutSeconds = 5;
const discoveryMs = 3_600_000;
const scope = 'openid email profile';

/** Signatures of which the service needs the public key only. */
const signatures = ['RS256', 'PS256', 'ES256', 'ES384', 'RS384', 'RS512', 'PS384', 'PS512', 'EdDSA'];

type Library = typeof OpenidClient;
type Discovered = OpenidClient.Configuration;

/** The provider of single sign-on. Uses the authorization code flow with PKCE. */
@Injectable()
export class OidcProvider {
  private discovered: { readonly by: Discovered; readonly at: number } | null = null;
  private discovering: Promise<Discovered> | null = null;
  /** Finds the keys with which the provider signs. */
  private keys: JWTVerifyGetKey | null = null;

  constructor(
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  assertConfigured(): void {
    this.settings();
  }

  /** Returns the address where the browser signs in. */
  async address(redirectUri: string, { state, nonce, verifier }: SignOnBinding): Promise<URL> {
    return this.guarded(async (library) => {
      const challenge = await library.calculatePKCECodeChallenge(verifier);
      return library.buildAuthorizationUrl(await this.provider(library), {
        ...{ redirect_uri: redirectUri, scope, state, nonce },
        ...{ code_challenge: challenge, code_challenge_method: 'S256' },
      });
    });
  }

  /**
   * Returns the account for an answer of the provider. `answered` is the whole URL to which the provider has sent the browser.
   */
  async account(answered: URL, { state, nonce, verifier }: SignOnBinding): Promise<SignOnAccount> {
    return this.guarded(async (library) => {
      const provider = await this.provider(library);
      const tokens = await library.authorizationCodeGrant(provider, answered, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
      });
      const claims = tokens.claims() as Claims & { readonly sub: string };
      const isComplete = claims.email !== undefined && claims.email_verified !== undefined;
      if (isComplete || provider.serverMetadata().userinfo_endpoint === undefined)
        return readAccount(claims, this.settings());
      const details: Claims = await library.fetchUserInfo(provider, tokens.access_token, claims.sub);
      // The e-mail and its verification must come from the same document.
      const { email, email_verified } = details.email === undefined ? claims : details;
      return readAccount({ ...claims, ...details, iss: claims.iss, email, email_verified }, this.settings());
    });
  }

  /** Returns the account of an access token that the provider signed for this audience; null for another text. */
  async accountOf(
    token: string,
    audience: string,
    now: Date,
  ): Promise<Pick<SignOnAccount, 'issuer' | 'subject'> | null> {
    return this.guarded(async (library) => {
      const { issuer, jwks_uri: address } = (await this.provider(library)).serverMetadata();
      if (address === undefined) return null;
      const { createRemoteJWKSet, customFetch, errors, jwtVerify } = await import('jose');
      const options = { timeoutDuration: timeoutSeconds * 1000, [customFetch]: boundedFetch };
      this.keys ??= createRemoteJWKSet(new URL(address), options);
      const requirements = {
        issuer,
        audience,
        algorithms: signatures,
        requiredClaims: ['sub', 'exp'],
        currentDate: now,
      };
      try {
        const { payload } = await jwtVerify(token, this.keys, requirements);
        return { issuer, subject: payload.sub ?? '' };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    });
  }

  private settings(): OidcConfig {
    const { oidc } = this.config;
    if (!oidc) throw notFound('there is no single sign-on: OIDC_ISSUER is not set');
    return oidc;
  }

  /** Runs `work` with the library, which is loaded only if there is a provider, and turns its errors into refusals. */
  private async guarded<T>(work: (library: Library) => Promise<T>): Promise<T> {
    const { issuer } = this.settings();
    try {
      return await work(await import('openid-client'));
    } catch (error) {
      if (error instanceof SignOnRefusal) throw error;
      throw this.refusal(issuer, faultOf(error));
    }
  }

  /**
   * Returns the provider's description of itself. It is read again after an hour, and used for longer while the provider cannot
   * be reached.
   */
  private async provider(library: Library): Promise<Discovered> {
    const known = this.discovered;
    if (known && Date.now() - known.at < discoveryMs) return known.by;
    this.discovering ??= this.discover(library).finally(() => (this.discovering = null));
    try {
      return await this.discovering;
    } catch (error) {
      if (known) return known.by;
      throw error;
    }
  }

  private async discover(library: Library): Promise<Discovered> {
    const { issuer, clientId, clientSecret } = this.settings();
    // Signatures are checked even if TLS already proves who sent the token.
    const execute = [library.enableNonRepudiationChecks];
    if (issuer.protocol === 'http:') execute.push(library.allowInsecureRequests);
    const options = { timeout: timeoutSeconds, execute, [library.customFetch]: boundedFetch };
    const found = await library
      .discovery(issuer, clientId, undefined, library.None(), options)
      .catch((error: unknown) => {
        throw this.refusal(issuer, { ...faultOf(error), reason: 'provider_unavailable' });
      });
    const server = found.serverMetadata();
    const methods = server.code_challenge_methods_supported;
    if (methods && !methods.includes('S256'))
      throw this.refusal(issuer, { reason: 'provider_unavailable', code: 'no PKCE with S256', detail: null });
    // A provider without a list supports `client_secret_basic` only, as the standard says.
    const isPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
    const auth = isPost ? library.ClientSecretPost(clientSecret) : library.ClientSecretBasic(clientSecret);
    const by = new library.Configuration(server, clientId, undefined, auth);
    by.timeout = timeoutSeconds;
    by[library.customFetch] = boundedFetch;
    for (const apply of execute) apply(by);
    this.discovered = { by, at: Date.now() };
    return by;
  }

  /** Logs the code of a failure, and its message only if that cannot quote a token. */
  private refusal(issuer: URL, { reason, code, detail }: ProviderFault): SignOnRefusal {
    this.logger.warn({ issuer: issuer.href, code, detail }, 'single sign-on failed');
    return new SignOnRefusal(reason);
  }
}
