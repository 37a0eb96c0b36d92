import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A sign-in that a browser has started at the provider. The secret of its cookie is never stored; `digest` is enough to recognise
 * it.
 */
@Entity('sign_on_attempts')
export class SignOnAttempt {
  @PrimaryColumn('bytea')
  digest: Buffer;

  /** The page that the browser opens after signing in. */
  @Column('text', { name: 'return_to' })
  returnTo: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
