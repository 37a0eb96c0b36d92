import { bearerToken, type Dialect } from '../capture/dialect.js';
import { TokenSearch } from '../capture/token.js';
import { isRecord } from '../../kernel/event-log/normalise/json.js';
import { type MessageType, normaliseMessage } from './message.js';

/** The dialect of Segment's tracking API, which the SDKs of Segment and RudderStack speak. */
export const segmentDialect = (type: MessageType | null): Dialect => ({
  headerToken: (authorization) => basicUser(authorization) ?? bearerToken(authorization),
  tokenSearch: () => new WriteKeySearch(),
  tokenField: 'writeKey',
  sentAt: 'sentAt',
  normalise: normaliseMessage(type),
});

const basic = /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i;

/** The user name; clients leave the password empty. */
const basicUser = (authorization: string): string | null => {
  const [, encoded] = basic.exec(authorization) ?? [];
  if (encoded === undefined) return null;
  const [user] = Buffer.from(encoded, 'base64').toString('latin1').split(':', 1);
  return user || null;
};

/** The project token is the `writeKey`, which a body and its messages may contain beside or instead of a header. */
class WriteKeySearch extends TokenSearch {
  constructor() {
    super('writeKey');
  }

  override add(carrier: unknown): void {
    if (isRecord(carrier)) this.name(carrier.writeKey);
  }
}
