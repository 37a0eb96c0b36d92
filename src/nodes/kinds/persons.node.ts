import { type ActorDto } from '../../analytics/shared/actor-pages.js';
import { PersonsQuery } from '../../persons/list/persons.query.js';
import { readText, type Fields } from '../../platform/fields/values.js';
import { maxLimit } from '../../platform/http/page.dto.js';
import { becomes, works, type NodeField, type NodeShape } from '../reading/node-fields.js';
import { dataBasics, fixedProperties } from '../reading/shared-fields.js';
import { type Translation } from '../reading/translation.js';
import { orderOf, readColumns, type Columns, type ShownColumns } from './columns.js';
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

const columns: Columns<ListedActor> = {
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

const usualColumns = ['person', 'id', 'created_at'];

/** The order of lists of persons, of the persons behind a number of events, and of those behind a retention. */
const keptOrders = /^(created_at|event_count|length\(appearances\)) desc(, *(actor_id|id)( desc| asc)?)?$/i;

/** The list of persons, or of those behind a number: the reader of `source` is that of all nodes that select persons. */
export const actorsQueryOf = (source: NodeField): NodeShape => ({
  ...ofPersons,
  source,
  select: becomes('select', `names of columns: ${Object.keys(columns).join(', ')}, properties.<key>`),
  orderBy: orderOf(
    keptOrders,
    'created_at DESC, or event_count DESC behind a number of events, or length(appearances) DESC behind a retention',
  ),
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

export const readActorColumns = ({ params }: Translation): ((actors: readonly ActorDto[]) => ShownColumns) =>
  readColumns<ListedActor>(columns, params.select, usualColumns, ({ properties }) => properties);
