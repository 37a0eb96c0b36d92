import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type MergeReason } from '../identity/record-merges.js';

/**
 * One merge of the last 90 days, with both persons as they were before the events that were committed with it. Like persons, without
 * a reference to the project, which would be checked row by row.
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

  /** Null in older records of persons that events made which were committed with the merge. */
  @Column('timestamptz', { name: 'survivor_created_at', nullable: true })
  survivorCreatedAt: Date | null;

  /** The static cohorts in which the person was. */
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

  /** The number of distinct ids that came with the merged person. Fewer rows mean that some were deleted since. */
  @Column('integer', { name: 'distinct_ids' })
  distinctIds: number;

  /** Distinct ids with a larger position were added to the persons later. */
  @Column('bigint', { name: 'last_position' })
  lastPosition: string;

  /** The persons that had been merged into the merged one. */
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

  /** The properties are gone, because they contained some of a person that was deleted. */
  @Column('boolean', { name: 'is_forgotten', default: false })
  isForgotten: boolean;
}

/** A distinct id that came with the merged person. Who deletes a merge deletes these rows, which saves ingestion a check of each. */
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
