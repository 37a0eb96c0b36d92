import { type NormaliseContext, type Normalised, normalise } from '../../kernel/event-log/normalise/normalise.js';
import { type TokenField, TokenSearch } from './token.js';

/** The differences between the protocols in which clients send events. */
export interface Dialect {
  /** Finds the project token in the header `Authorization`; null when it contains none. */
  readonly headerToken: (authorization: string) => string | null;
  readonly tokenSearch: () => TokenSearch;
  readonly tokenField: TokenField;
  /** The field of a batch that contains the time of sending. */
  readonly sentAt: 'sent_at' | 'sentAt';
  readonly normalise: (raw: unknown, context: NormaliseContext) => Normalised;
}

/**
 * Matches the project token in the header `Authorization`, where the newest protocol of the PostHog SDKs sends it. On other
 * routes the header contains personal keys.
 */
const bearer = /^Bearer +(phc_\S+)$/i;

export const bearerToken = (authorization: string): string | null => bearer.exec(authorization)?.[1] ?? null;

export const posthogDialect: Dialect = {
  headerToken: bearerToken,
  tokenSearch: () => new TokenSearch(),
  tokenField: 'api_key',
  sentAt: 'sent_at',
  normalise,
};
