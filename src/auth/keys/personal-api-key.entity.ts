import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type GrantedScope } from '../../kernel/access/scopes.js';
import { User } from '../users/user.entity.js';

/** The text of a key appears in one answer only and is never stored; `digest` is enough to recognise it. */
@Entity('personal_api_keys')
@Unique('personal_api_keys_digest_key', ['digest'])
@Unique('personal_api_keys_previous_digest_key', ['previousDigest'])
@Check('personal_api_keys_previous_check', '(previous_digest IS NULL) = (previous_until IS NULL)')
@Check('personal_api_keys_scopes_check', 'cardinality(scopes) > 0')
@Check('personal_api_keys_project_ids_check', 'cardinality(project_ids) > 0')
@ForeignKey(() => User, ['userId'], ['id'], { name: 'personal_api_keys_user_id_fkey', onDelete: 'CASCADE' })
@Index('personal_api_keys_user', ['userId', 'createdAt', 'id'])
@Index('personal_api_keys_parent', ['parentId'])
export class PersonalApiKey {
  @PrimaryColumn('uuid')
  id: string;

  @Column('integer', { name: 'user_id' })
  userId: number;

  @Column('text')
  label: string;

  @Column('bytea')
  digest: Buffer;

  /** The secret before the last rotation, which works until `previousUntil`. */
  @Column('bytea', { name: 'previous_digest', nullable: true })
  previousDigest: Buffer | null;

  @Column('timestamptz', { name: 'previous_until', nullable: true })
  previousUntil: Date | null;

  @Column('text', { name: 'mask_value' })
  maskValue: string;

  @Column('text', { array: true })
  scopes: GrantedScope[];

  /** Null for every project, including future ones. */
  @Column('integer', { name: 'project_ids', array: true, nullable: true })
  projectIds: number[] | null;

  /** The key that made this one; null when an operator, a session or the first start made it. */
  @Column('uuid', { name: 'parent_id', nullable: true })
  parentId: string | null;

  /**
   * True if a session made, widened or rotated the key, directly or through other keys. It then loses each right that its user
   * loses.
   */
  @Column('boolean', { name: 'of_session', default: false })
  ofSession: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;
}
