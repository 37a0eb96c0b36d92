import { Inject, Injectable } from '@nestjs/common';
import type * as OpenidClient from 'openid-client';
import { notFound } from '../../platform/errors/problem.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { Config } from '../../platform/config/config.js';
import { type OidcConfig } from '../../platform/config/oidc.js';
import { boundedFetch } from './bounded-fetch.js';
import { faultOf, type ProviderFault } from './provider-faults.js';
import { SignOnRefusal } from './refusals.js';
import { type Claims, readAccount, type SignOnAccount } from './sign-on-account.js';
import { type SignOnBinding } from './sign-on-attempts.js';

const timeoutSeconds = 5;
const discoveryMs = 3_600_000;
const scope = 'openid email profile';

type Library = typeof OpenidClient;
type Discovered = OpenidClient.Configuration;

/** The provider of single sign-on, by the authorization code flow with PKCE. */
@Injectable()
export class OidcProvider {
  private discovered: { readonly by: Discovered; readonly at: number } | null = null;
  private discovering: Promise<Discovered> | null = null;

  constructor(
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  assertConfigured(): void {
    this.settings();
  }

  /** Where a browser signs in. */
  async address(redirectUri: string, { state, nonce, verifier }: SignOnBinding): Promise<URL> {
    return this.guarded(async (library) => {
      const challenge = await library.calculatePKCECodeChallenge(verifier);
      return library.buildAuthorizationUrl(await this.provider(library), {
        ...{ redirect_uri: redirectUri, scope, state, nonce },
        ...{ code_challenge: challenge, code_challenge_method: 'S256' },
      });
    });
  }

  /** The account behind an answer of the provider. `answered` is the whole address that the browser was led to. */
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
      // The e-mail and its verification come from the same document.
      const { email, email_verified } = details.email === undefined ? claims : details;
      return readAccount({ ...claims, ...details, iss: claims.iss, email, email_verified }, this.settings());
    });
  }

  private settings(): OidcConfig {
    const { oidc } = this.config;
    if (!oidc) throw notFound('there is no single sign-on: OIDC_ISSUER is not set');
    return oidc;
  }

  /** The library is loaded only where there is a provider. */
  private async guarded<T>(work: (library: Library) => Promise<T>): Promise<T> {
    const { issuer } = this.settings();
    try {
      return await work(await import('openid-client'));
    } catch (error) {
      if (error instanceof SignOnRefusal) throw error;
      throw this.refusal(issuer, faultOf(error));
    }
  }

  /** The description that the provider gives of itself counts for an hour, and longer while it cannot be reached. */
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
    // Signatures are checked even where TLS proves who sent the token.
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
    // Without a list the standard has only `client_secret_basic`.
    const isPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
    const auth = isPost ? library.ClientSecretPost(clientSecret) : library.ClientSecretBasic(clientSecret);
    const by = new library.Configuration(server, clientId, undefined, auth);
    by.timeout = timeoutSeconds;
    by[library.customFetch] = boundedFetch;
    for (const apply of execute) apply(by);
    this.discovered = { by, at: Date.now() };
    return by;
  }

  /** Of a failure only the code is logged, and what is known to quote no token. */
  private refusal(issuer: URL, { reason, code, detail }: ProviderFault): SignOnRefusal {
    this.logger.warn({ issuer: issuer.href, code, detail }, 'single sign-on failed');
    return new SignOnRefusal(reason);
  }
}
