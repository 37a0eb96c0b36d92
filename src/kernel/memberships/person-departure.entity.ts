import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../projects/project.entity.js';

/**
 * A person that was merged or deleted. A calculation may have counted this person as a member before; when its members begin to
 * count, the person is left out. Kept for some days only.
 */
@Entity('person_departures')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'person_departures_project_id_fkey' })
@Index('person_departures_at', ['projectId', 'departedAt'])
export class PersonDeparture {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('bigint', { name: 'person_id' })
  personId: string;

  @Column('timestamptz', { name: 'departed_at' })
  departedAt: Date;
}

/** A group that was deleted. As a departed person, it is left out when members that were calculated before begin to count. */
@Entity('group_departures')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'group_departures_project_id_fkey' })
@Index('group_departures_at', ['projectId', 'departedAt'])
export class GroupDeparture {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('bigint', { name: 'group_id' })
  groupId: string;

  @Column('timestamptz', { name: 'departed_at' })
  departedAt: Date;
}
