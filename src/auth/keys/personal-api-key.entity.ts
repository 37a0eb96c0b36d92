import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type GrantedScope } from '../../common/access/scopes.js';

/** The key's text is shown once and never stored: `digest` is all that can recognise it. */
@Entity('personal_api_keys')
export class PersonalApiKey {
  @PrimaryColumn('uuid')
  id: string;

  @Column('integer', { name: 'user_id' })
  userId: number;

  @Column('text')
  label: string;

  @Column('bytea')
  digest: Buffer;

  @Column('text', { name: 'mask_value' })
  maskValue: string;

  @Column('text', { array: true })
  scopes: GrantedScope[];

  /** Null: every project, also those still to come. */
  @Column('integer', { name: 'project_ids', array: true, nullable: true })
  projectIds: number[] | null;

  /** The key that made this one. Null: made by an operator or at the first start. */
  @Column('uuid', { name: 'parent_id', nullable: true })
  parentId: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;
}
