import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { propertyOfPath, typeOfStored } from '../../kernel/projection/schema/property.sql.js';
import { personPropertiesSql } from './catalogue.sql.js';
import { type CataloguePropertyDto, type PropertyKind } from '../catalogue.dto.js';
import { lastThirtyDays } from './last-thirty-days.js';
import { PropertyDays } from './property-days.js';

export type ListedProperty = Omit<CataloguePropertyDto, 'description' | 'owner' | 'hidden' | 'tags' | 'used_by'>;

export interface ListedProperties {
  readonly properties: readonly ListedProperty[];
  /** The first day that is counted; null for persons. */
  readonly since: string | null;
}

/** The number of properties of persons that are listed: the most frequent ones. */
const maxPersonProperties = 5_000;

/** Lists the properties that events and persons have, most frequent first. */
@Injectable()
export class CatalogueProperties {
  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly days: PropertyDays,
  ) {}

  of(project: ProjectContext, kind: PropertyKind, now: Date): Promise<ListedProperties> {
    return kind === 'event' ? this.ofEvents(project, now) : this.ofPersons(project);
  }

  private async ofEvents(project: ProjectContext, now: Date): Promise<ListedProperties> {
    const { totals, since } = await this.days.of(project, lastThirtyDays(now));
    const properties = totals.map(({ path, types, events, lastSeen }) => ({
      name: propertyOfPath(path),
      kind: 'event' as const,
      volume_30_days: events,
      persons: null,
      last_seen: lastSeen,
      types,
    }));
    return { properties, since };
  }

  private async ofPersons(project: ProjectContext): Promise<ListedProperties> {
    const rows = await this.clickhouse.query<{ path: string; types: string[]; persons: number }>(
      personPropertiesSql(project.id, maxPersonProperties),
      { project },
    );
    const properties = rows.map(({ path, types, persons }) => ({
      name: propertyOfPath(path),
      kind: 'person' as const,
      volume_30_days: null,
      persons,
      last_seen: null,
      types: [...new Set(types.map(typeOfStored))].sort(),
    }));
    return { properties, since: null };
  }
}
