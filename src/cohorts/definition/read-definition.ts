import { type NamedActions } from '../../filters/actions/action-lookup.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { type Fields, assertOnlyKeys, isFields } from '../../platform/fields/values.js';
import { type Filter, maxAlternatives } from '../../filters/reading/filter.js';
import { groupSchema } from '../../filters/reading/filter-fields.js';
import { cohortTypes, isCohortType, readLeaf } from '../../filters/reading/leaf.js';
import { ignoring, orElse, schemaNamed, type Schemas } from '../../platform/fields/schema.js';
import { criteriaOf, occurrencesOf, type CriteriaGroup, type Definition, type DefinitionNode } from './definition.js';
import { exampleCriterion } from './cohort-examples.js';
import { criterionSchemas } from './criterion-fields.js';
import { readBehaviour } from './read-behaviour.js';

const maxDepth = 20;
export const maxCriteria = 200;
export const maxBehaviours = 50;
export const maxPeriodsInAll = 2_000;

/** Everything that reading a criterion needs beside the criterion. */
interface Reading {
  readonly actions: NamedActions;
  /** The index of the type of the groups that are the members; null: they are persons. */
  readonly members: number | null;
}

/**
 * Reads the `filters` of a cohort: `{"properties": group}`. `members` is the index of the type of the groups of a cohort of
 * groups; null for a cohort of persons.
 */
export const readDefinition = (
  filters: unknown,
  attr: string,
  actions: NamedActions,
  members: number | null = null,
): Definition => {
  if (!isFields(filters))
    throw invalidInput(
      `${attr} must be an object such as {"properties": {"type": "AND", "values": […]}}, a group of criteria`,
      attr,
    );
  assertOnlyKeys(filters, attr, { known: ['properties'], rule: 'a definition has properties' });
  const { properties } = filters;
  if (properties === undefined || properties === null) throw required(`${attr}.properties`);
  if (!isFields(properties)) {
    throw invalidInput(`${attr}.properties must be a group {"type": "AND", "values": […]}`, `${attr}.properties`);
  }
  if (Object.keys(properties).length === 0) return null;
  const definition = readGroup(properties, `${attr}.properties`, { actions, members }, 1);
  checkSize(definition, attr);
  return criteriaOf(definition).length === 0 ? null : definition;
};

const checkSize = (definition: CriteriaGroup, attr: string): void => {
  const all = criteriaOf(definition);
  if (all.length > maxCriteria) throw invalidInput(`${attr} must have at most ${maxCriteria} criteria`, attr);
  const behaviours = all.filter((criterion) => criterion.kind === 'behaviour');
  if (behaviours.length > maxBehaviours) {
    throw invalidInput(`${attr} must have at most ${maxBehaviours} criteria about events`, attr);
  }
  const periods = behaviours.reduce(
    (sum, one) => sum + (one.did === 'performed_event_regularly' ? one.totalPeriods : 0),
    0,
  );
  if (periods > maxPeriodsInAll) {
    throw invalidInput(`${attr} must have total_periods of at most ${maxPeriodsInAll} in all criteria together`, attr);
  }
  if (behaviours.flatMap(occurrencesOf).flatMap(({ matches }) => matches).length > maxAlternatives) {
    throw invalidInput(`${attr} must name at most ${maxAlternatives} events; each step of an action counts`, attr);
  }
};

/** Clients of the reference product send these keys in groups; they have no effect. */
const ignoredGroupKeys = ['id', 'sort_key'];

const isGroup = (json: Fields): boolean =>
  !Object.hasOwn(json, 'key') && (Object.hasOwn(json, 'values') || /^(and|or)$/i.test(String(json.type)));

const readGroup = (group: Fields, attr: string, reading: Reading, depth: number): CriteriaGroup => {
  if (depth > maxDepth) throw invalidInput(`${attr} must be nested at most ${maxDepth} deep`, attr);
  assertOnlyKeys(group, attr, { known: ['type', 'values', ...ignoredGroupKeys], rule: 'a group has type and values' });
  if (group.type === undefined || group.type === null) throw required(`${attr}.type`);
  const type = typeof group.type === 'string' ? group.type.toUpperCase() : null;
  if (type !== 'AND' && type !== 'OR') throw invalidInput(`${attr}.type must be AND or OR`, `${attr}.type`);
  if (group.values === undefined || group.values === null) throw required(`${attr}.values`);
  if (!Array.isArray(group.values)) throw invalidInput(`${attr}.values must be a list`, `${attr}.values`);
  return { kind: 'group', combine: type, parts: readParts(group.values, `${attr}.values`, reading, depth) };
};

const readParts = (values: readonly unknown[], attr: string, reading: Reading, depth: number): DefinitionNode[] => {
  if (values.length > maxCriteria) throw invalidInput(`${attr} must have at most ${maxCriteria} entries`, attr);
  const objects = values.map((value, at) => {
    if (!isFields(value))
      throw invalidInput(`${attr}.${at} must be a criterion or a group, an object`, `${attr}.${at}`);
    return value;
  });
  const groups = objects.filter(isGroup).length;
  if (groups > 0 && groups < objects.length) {
    throw invalidInput(`${attr} must hold either criteria or groups, not both: put the criteria into a group`, attr);
  }
  return objects.map((object, at) =>
    isGroup(object)
      ? readGroup(object, `${attr}.${at}`, reading, depth + 1)
      : readCriterion(object, `${attr}.${at}`, reading),
  );
};

const readCriterion = (leaf: Fields, attr: string, { actions, members }: Reading): DefinitionNode => {
  if (leaf.type === 'behavioral') return readBehaviour(leaf, attr, actions, members);
  if (members !== null && leaf.type === 'person')
    throw invalidInput(
      `${attr}.type must be group: the members of the cohort are groups. A criterion of the type behavioral is about what persons did`,
      `${attr}.type`,
    );
  if (leaf.type !== undefined && leaf.type !== null && !isFilterType(leaf.type)) {
    throw invalidInput(`${attr}.type must be one of person, cohort, group, behavioral`, `${attr}.type`);
  }
  if (Array.isArray(leaf.value) && leaf.value.length === 0 && isCohortType(leaf.type)) {
    throw invalidInput(`${attr}.value must be the id of a cohort`, `${attr}.value`);
  }
  if (members !== null) return withoutFilterGroups(readLeafOfGroups(leaf, attr, members));
  return withoutFilterGroups(readLeaf(leaf, attr, { defaultType: 'person', allowed: ['person', 'cohort', 'group'] }));
};

/** Reads a filter on the groups of one type. A filter without a type is one on their properties. */
const readLeafOfGroups = (leaf: Fields, attr: string, members: number): Filter => {
  const isUntyped = leaf.type === undefined || leaf.type === null;
  const typed = isUntyped ? { ...leaf, type: 'group', group_type_index: leaf.group_type_index ?? members } : leaf;
  const filter = readLeaf(typed, attr, { defaultType: 'group', allowed: ['group', 'cohort'] });
  if (filter.kind !== 'property' || filter.groupType === members) return filter;
  const path = `${attr}.group_type_index`;
  throw invalidInput(`${path} must be ${members}, that of the cohort`, path);
};

/** A list of cohorts is read as a group of filters, each of which is a criterion. */
const withoutFilterGroups = (filter: Filter): DefinitionNode => {
  if (filter.kind === 'expression') throw new Error('cohorts have no filters of this type');
  if (filter.kind !== 'group') return filter;
  return { kind: 'group', combine: filter.combine, parts: filter.parts.map(withoutFilterGroups) };
};

const filterTypes: readonly unknown[] = ['person', 'group', ...cohortTypes];

const isFilterType = (type: unknown): boolean => filterTypes.includes(type);

const rootGroup = orElse(schemaNamed('CohortGroup'), { type: 'object', maxProperties: 0 });

export const definitionSchemas: Schemas = {
  ...criterionSchemas,
  CohortCriterion: {
    description:
      'A criterion: a filter on the person or on a group to which the person belongs, the membership in another cohort, or what the person or a group did.',
    anyOf: [schemaNamed('EventCriterion'), schemaNamed('PersonFilter'), schemaNamed('GroupPropertyFilter')],
  },
  CohortGroup: ignoring(
    groupSchema(schemaNamed('CohortCriterion'), schemaNamed('CohortGroup'), maxCriteria, exampleCriterion),
    ignoredGroupKeys,
  ),
  CohortDefinition: {
    type: 'object',
    description: 'The definition of a dynamic cohort.',
    properties: { properties: rootGroup },
    required: ['properties'],
  },
};

export const cohortDefinition = schemaNamed('CohortDefinition');
