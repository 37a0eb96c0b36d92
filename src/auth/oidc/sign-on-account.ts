import { type OidcConfig } from '../../platform/config/oidc.js';
import { emailFault } from '../users/email.js';
import { SignOnRefusal } from './refusals.js';

/** An account at the provider, as its tokens describe it. */
export interface SignOnAccount {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** True if the provider says so; false if it is only assumed. */
  readonly isEmailVerified: boolean;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
}

export type Claims = Readonly<Record<string, unknown>>;

const maxName = 100;
/** Refuses texts that PostgreSQL cannot store, or would store as another text, which would make two subjects one account. */
const subjectShape = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/** Reads the claims of the provider about an account. Refuses an account that may not sign in. */
export const readAccount = (
  claims: Claims,
  { allowedDomains, assumesVerifiedEmails }: Pick<OidcConfig, 'allowedDomains' | 'assumesVerifiedEmails'>,
): SignOnAccount => {
  const { iss: issuer, sub: subject, email, email_verified: verified } = claims;
  if (typeof issuer !== 'string' || typeof subject !== 'string' || !subjectShape.test(subject))
    throw new SignOnRefusal('answer_not_valid');
  if (typeof email !== 'string' || emailFault(email) !== null) throw new SignOnRefusal('email_missing');
  // Some providers send the word instead of the value.
  const isEmailVerified = verified === true || verified === 'true';
  const isAssumed = assumesVerifiedEmails && (verified === undefined || verified === null);
  if (!isEmailVerified && !isAssumed) throw new SignOnRefusal('email_not_verified');
  if (allowedDomains && !allowedDomains.includes(domainOf(email))) throw new SignOnRefusal('domain_not_allowed');
  return { issuer, subject, email, isEmailVerified, ...namesIn(claims) };
};

/** Lower-cases ASCII letters only: other letters could become those of a foreign domain, as the sign for kelvin becomes a k. */
const domainOf = (email: string): string => asciiLower(email.slice(email.lastIndexOf('@') + 1));

export const asciiLower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const namesIn = (claims: Claims): Pick<SignOnAccount, 'firstName' | 'lastName'> => {
  const [given, family, whole] = [claims.given_name, claims.family_name, claims.name].map(readName);
  return given === undefined && family === undefined
    ? { firstName: whole, lastName: undefined }
    : { firstName: given, lastName: family };
};

const readName = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const name = value
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/\p{Cc}/gu, ' ')
    .trim();
  return [...name].slice(0, maxName).join('') || undefined;
};
