import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type EventMatch, type Filter } from '../reading/filter.js';
import { notChecked, type QuestionWarningDto } from './question-warning.dto.js';
import { UnknownEvents } from './unknown-events.js';
import { propertiesOfFilters, UnknownProperties, type NamedProperty } from './unknown-properties.js';

/** The names in a question. `properties` are the properties outside of filters, such as that of a breakdown. */
export interface NamedByQuestion {
  readonly matches: readonly EventMatch[];
  readonly filters: readonly Filter[];
  readonly properties?: readonly NamedProperty[];
}

const maxNotChecked = 10;

/** Finds names that have never arrived, which a question counts as 0. */
@Injectable()
export class QuestionWarnings {
  constructor(
    private readonly events: UnknownEvents,
    private readonly properties: UnknownProperties,
  ) {}

  /** The projection must have everything that arrived before the question. */
  async of(project: ProjectContext, named: NamedByQuestion): Promise<QuestionWarningDto[]> {
    const { matches, filters, properties = [] } = named;
    const found = await Promise.all([
      this.events.warnings(project, matches),
      this.properties.warnings(project, [...propertiesOfFilters(filters), ...properties]),
    ]);
    return found.flat();
  }
}

/** The warnings of a question whose names could not be looked for. */
export const withoutCheck = ({ matches, filters }: NamedByQuestion): QuestionWarningDto[] => {
  const names = [
    ...matches.flatMap(({ event }) => event ?? []),
    ...propertiesOfFilters(filters).map(({ key }) => key),
  ].slice(0, maxNotChecked);
  return names.length === 0 ? [] : [notChecked([...new Set(names)])];
};
