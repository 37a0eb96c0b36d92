import { type ActorDto } from '../../analytics/shared/actor-pages.js';
import { PersonsQuery } from '../../persons/list/persons.query.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { readText, requireList, type Fields } from '../../platform/fields/values.js';
import { maxLimit } from '../../platform/http/page.dto.js';
import { becomes, works, type NodeField, type NodeShape } from '../reading/node-fields.js';
import { dataBasics, fixedProperties } from '../reading/shared-fields.js';
import { type Translation } from '../reading/translation.js';
import { readPageOfNode } from './events.node.js';

const ofPersons = {
  ...dataBasics,
  search: becomes('search'),
  properties: becomes('properties'),
  fixedProperties,
  limit: becomes('limit', `100 by default, ${maxLimit} at most`),
  offset: becomes('offset'),
} satisfies NodeShape;

export const personsNode: NodeShape = {
  ...ofPersons,
  cohort: becomes('cohort'),
  distinctId: works((value, attr, into) => into.set('distinct_id', [readText(value, attr)], attr)),
};

/** A person or a group behind a number may have what the insight adds. */
type ListedActor = ActorDto & { readonly value_at_data_point?: number; readonly appearances?: readonly number[] };

/** A group has its key in place of the uuid, as in the reference product. */
const idOf = (actor: ListedActor): string => ('group_key' in actor ? actor.group_key : actor.uuid);

const asActor = ({ id: _, distinct_id_count: __, ...actor }: ListedActor): Fields => ({
  type: 'person',
  ...actor,
  id: 'group_key' in actor ? actor.group_key : actor.uuid,
});

/** The columns of a list of persons. All others are questions in SQL. */
const columns: Readonly<Record<string, (person: ListedActor) => unknown>> = {
  '*': asActor,
  actor: asActor,
  person: asActor,
  person_display_name: (actor) => ({ display_name: actor.name, id: idOf(actor) }),
  id: idOf,
  actor_id: idOf,
  uuid: ({ uuid }) => uuid,
  name: ({ name }) => name,
  created_at: ({ created_at }) => created_at,
  is_identified: ({ is_identified }) => is_identified,
  distinct_ids: ({ distinct_ids }) => distinct_ids,
  properties: ({ properties }) => properties,
  event_count: ({ value_at_data_point }) => value_at_data_point ?? null,
  appearances: ({ appearances }) => appearances ?? null,
  matched_recordings: () => [],
  'person.$delete': () => null,
};

const ofProperty = /^(?:person\.)?properties(?:\.([\p{L}\p{N}_$]+)|\[\s*'([^'\\]+)'\s*\]|\.`([^`]+)`)$/u;

/** A column by its name, which a comment may follow that is its title. */
const columnNamed = (sent: unknown, attr: string): ((person: ListedActor) => unknown) => {
  const [beforeComment = ''] = readText(sent, attr).split('--');
  const name = beforeComment.trim();
  if (Object.hasOwn(columns, name) && columns[name]) return columns[name];
  const [, ...keys] = ofProperty.exec(name) ?? [];
  const key = keys.find((one) => one !== undefined);
  if (key !== undefined)
    return ({ properties }) => (Object.hasOwn(properties, key) ? (properties as Fields)[key] : null);
  throw invalidInput(
    `${attr} must be properties.<key> or one of ${Object.keys(columns).join(', ')}: ask for anything else in SQL`,
    attr,
  );
};

const maxSelected = 100;
const usualColumns = ['person', 'id', 'created_at'];

/** The order of lists of persons, and of the persons behind a number of events. */
const keptOrders = /^(created_at|event_count) desc(, *(actor_id|id) (desc|asc))?$/i;

const readOrderOfList: NodeField = works((value, attr) => {
  const entries = typeof value === 'string' ? [value] : requireList(value, attr, 10);
  const order = entries.map((one, at) => readText(one, `${attr}.${at}`).trim()).join(', ');
  if (order === '' || keptOrders.test(order)) return;
  throw invalidInput(
    `${attr} must be created_at DESC, or event_count DESC behind a number of events: ask for another order in SQL`,
    attr,
  );
}, 'only `created_at DESC`, and `event_count DESC` behind a number of events');

/** The list of persons, or of those behind a number: the reader of `source` is that of all nodes that select persons. */
export const actorsQueryOf = (source: NodeField): NodeShape => ({
  ...ofPersons,
  source,
  select: becomes('select', `names of columns: ${Object.keys(columns).join(', ')}, properties.<key>`),
  orderBy: readOrderOfList,
});

/** Reads the parameters of the list of persons. */
export const personsQueryOf = (translation: Translation): PersonsQuery => {
  const { properties, search, cohort, distinct_id } = translation.params;
  return Object.assign(new PersonsQuery(), {
    ...readPageOfNode(translation),
    ...(properties !== undefined && { properties: JSON.stringify(properties) }),
    ...(search !== undefined && { search: readText(search, 'search') }),
    ...(cohort !== undefined && { cohort: readText(cohort, 'cohort') }),
    ...(distinct_id !== undefined && { distinct_id: distinct_id as string[] }),
  });
};

interface PersonsPage {
  readonly count: number;
  readonly results: readonly ActorDto[];
}

export interface ShownActors {
  readonly columns: readonly string[];
  readonly results: readonly (readonly unknown[])[];
}

/** Reads the columns before persons are read, because one may be refused. */
export const readActorColumns = ({ params }: Translation): ((page: PersonsPage) => ShownActors) => {
  const sent = requireList(params.select, 'select', maxSelected);
  const names = (sent.length > 0 ? sent : usualColumns).map((name, at) => readText(name, `select.${at}`));
  const shown = names.map((name, at) => columnNamed(name, `select.${at}`));
  return ({ results }) => ({
    columns: names,
    results: results.map((actor) => shown.map((column) => column(actor))),
  });
};
