import { Column, type ColumnOptions, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Project } from '../projects/project.entity.js';
import { type MergeReason } from './identity-event.js';

@Entity('persons')
@Unique('persons_project_id_uuid_key', ['projectId', 'uuid'])
// The index is newest first, which TypeORM cannot express.
@Index('persons_newest', { synchronize: false })
export class Person {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** bigint arrives as text; every id is below 2^53. */
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: string;

  @Column('uuid')
  uuid: string;

  @Column('jsonb')
  properties: object;

  @Column('boolean', { name: 'is_identified' })
  isIdentified: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}

/** A generated column that is no primary key: the types of TypeORM do not allow this, but its schema builder supports it. */
const identity = { generated: 'identity', generatedIdentity: 'BY DEFAULT' } as object as ColumnOptions;

/** Maps each distinct id to its person. Rows change hands only while the rows of the persons are locked. */
@Entity('person_distinct_ids')
@ForeignKey(() => Person, ['projectId', 'personId'], ['projectId', 'id'], {
  name: 'person_distinct_ids_project_id_person_id_fkey',
  onDelete: 'CASCADE',
})
@Index('person_distinct_ids_of_person', ['projectId', 'personId', 'position'])
@Index('person_distinct_ids_human', ['projectId', 'personId', 'position'], {
  where: "distinct_id !~ '^[a-z0-9]+(-[a-z0-9]+){4}$'",
})
export class PersonDistinctId {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('text', { name: 'distinct_id' })
  distinctId: string;

  @Column('bigint', { name: 'person_id' })
  personId: string;

  /** The order in which a person's ids were added. */
  @Column({ type: 'bigint', ...identity, insert: false, update: false })
  position: string;
}

/** A merged person and the person that it is part of now, which is never itself a merged one. */
@Entity('person_redirects')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'person_redirects_project_id_fkey' })
@Index('person_redirects_target', ['projectId', 'target'])
@Index('person_redirects_uuid', ['projectId', 'uuid'])
export class PersonRedirect {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** bigint arrives as text; every id is below 2^53. */
  @PrimaryColumn('bigint')
  source: string;

  @Column('bigint')
  target: string;

  /** The uuid of the merged person. Null once it leads nowhere: a split gave it to a new person, who was deleted. */
  @Column('uuid', { nullable: true })
  uuid: string | null;
}

/**
 * One merge of the last 90 days, with both persons in their state before the transaction of the merge. Like `persons`, the
 * table has no foreign key to `projects`, which would be checked row by row.
 */
@Entity('person_merges')
@Index('person_merges_survivor', ['projectId', 'survivor'])
@Index('person_merges_merged', ['projectId', 'merged'])
export class PersonMerge {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: string;

  @Column('bigint')
  survivor: string;

  @Column('jsonb', { name: 'survivor_properties' })
  survivorProperties: object;

  @Column('boolean', { name: 'survivor_is_identified' })
  survivorIsIdentified: boolean;

  /** Null only in older records, for a person that was made in the transaction of the merge. */
  @Column('timestamptz', { name: 'survivor_created_at', nullable: true })
  survivorCreatedAt: Date | null;

  /** The static cohorts that had the survivor as a member. */
  @Column('integer', { name: 'survivor_cohorts', array: true })
  survivorCohorts: number[];

  @Column('bigint')
  merged: string;

  @Column('uuid', { name: 'merged_uuid' })
  mergedUuid: string;

  @Column('jsonb', { name: 'merged_properties' })
  mergedProperties: object;

  @Column('boolean', { name: 'merged_is_identified' })
  mergedIsIdentified: boolean;

  @Column('timestamptz', { name: 'merged_created_at', nullable: true })
  mergedCreatedAt: Date | null;

  @Column('integer', { name: 'merged_cohorts', array: true })
  mergedCohorts: number[];

  /**
   * The number of distinct ids that came with the merged person. Fewer rows in `person_merge_ids` mean that some were deleted
   * since.
   */
  @Column('integer', { name: 'distinct_ids' })
  distinctIds: number;

  /** Distinct ids with a larger position were added to the persons after the merge. */
  @Column('bigint', { name: 'last_position' })
  lastPosition: string;

  /** The persons that had been merged into the merged person before. */
  @Column('bigint', { array: true })
  redirects: string[];

  @Column('text')
  reason: MergeReason;

  /** Null for a merge without an event in the log. */
  @Column('uuid', { name: 'event_uuid', nullable: true })
  eventUuid: string | null;

  @Column('timestamptz', { name: 'merged_at' })
  mergedAt: Date;

  @Column('timestamptz', { name: 'undone_at', nullable: true })
  undoneAt: Date | null;

  /** True if the properties were erased, because some came from a person who was deleted. */
  @Column('boolean', { name: 'is_forgotten', default: false })
  isForgotten: boolean;
}

/**
 * A distinct id that came with the merged person. It has no foreign key, which ingestion would have to check for each row: the
 * statement that deletes a merge deletes these rows too.
 */
@Entity('person_merge_ids')
@Index('person_merge_ids_distinct_id', ['projectId', 'distinctId'])
export class PersonMergeId {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('bigint', { name: 'merge_id' })
  mergeId: string;

  @PrimaryColumn('text', { name: 'distinct_id' })
  distinctId: string;
}

/** One split of the last 90 days, with the state of the person before the split. */
@Entity('person_splits')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'person_splits_project_id_fkey' })
@Index('person_splits_person', ['projectId', 'personId'])
export class PersonSplitRecord {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: string;

  @Column('bigint', { name: 'person_id' })
  personId: string;

  @Column('jsonb')
  properties: object;

  @Column('boolean', { name: 'is_identified' })
  isIdentified: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** Distinct ids with a larger position were added after the split. */
  @Column('bigint', { name: 'last_position' })
  lastPosition: string;

  @Column('timestamptz', { name: 'split_at' })
  splitAt: Date;

  /** When distinct ids last came back by an undo. */
  @Column('timestamptz', { name: 'undone_at', nullable: true })
  undoneAt: Date | null;

  /** True if the properties were erased, because some came from a person who was deleted. */
  @Column('boolean', { name: 'is_forgotten', default: false })
  isForgotten: boolean;
}

/** A distinct id that left the person in a split, and the person made for this id. */
@Entity('person_split_ids')
@ForeignKey(() => PersonSplitRecord, ['projectId', 'splitId'], ['projectId', 'id'], {
  name: 'person_split_ids_project_id_split_id_fkey',
  onDelete: 'CASCADE',
})
@Index('person_split_ids_distinct_id', ['projectId', 'distinctId'])
@Index('person_split_ids_person', ['projectId', 'personId'])
export class PersonSplitId {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('bigint', { name: 'split_id' })
  splitId: string;

  @PrimaryColumn('text', { name: 'distinct_id' })
  distinctId: string;

  @Column('bigint', { name: 'person_id' })
  personId: string;

  /** When the id came back by an undo. */
  @Column('timestamptz', { name: 'undone_at', nullable: true })
  undoneAt: Date | null;
}

/** The number of a project's persons is the sum of its slots. */
@Entity('person_counts')
export class PersonCount {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** Each writing connection has a slot of its own, so that writers never wait for each other; slot 0 collects old ones. */
  @PrimaryColumn('integer')
  slot: number;

  @Column('bigint')
  persons: string;
}

/** The number of a person's distinct ids; stored only for persons with very many. */
@Entity('distinct_id_counts')
export class DistinctIdCount {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('bigint', { name: 'person_id' })
  personId: string;

  @Column('bigint', { name: 'distinct_ids' })
  distinctIds: string;
}
