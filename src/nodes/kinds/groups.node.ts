import { typeIndexField, type GroupDto } from '../../groups/group.dto.js';
import { GroupsQuery } from '../../groups/list/groups.query.js';
import { maxLimit } from '../../platform/http/page.dto.js';
import { readText } from '../../platform/fields/values.js';
import { becomes, type NodeShape } from '../reading/node-fields.js';
import { dataBasics } from '../reading/shared-fields.js';
import { type Translation } from '../reading/translation.js';
import { orderOf, readColumns, type Columns, type ShownColumns } from './columns.js';
import { readPageOfNode } from './events.node.js';

const columns: Columns<GroupDto> = {
  group_name: ({ name, group_key: key }) => ({ display_name: name, key }),
  key: ({ group_key }) => group_key,
  id: ({ id }) => id,
  index: ({ group_type_index }) => group_type_index,
  created_at: ({ created_at }) => created_at,
  properties: ({ group_properties }) => group_properties,
};

/** The list of groups of a type. */
export const groupsQuery: NodeShape = {
  ...dataBasics,
  group_type_index: becomes('group_type_index'),
  select: becomes('select', `names of columns: ${Object.keys(columns).join(', ')}, properties.<key>`),
  search: becomes('search'),
  properties: becomes('properties', 'with the type `group`'),
  limit: becomes('limit', `100 by default, ${maxLimit} at most`),
  offset: becomes('offset'),
  orderBy: orderOf(/^created_at desc$/i, 'created_at DESC'),
};

/** Reads the parameters of the list of groups. */
export const groupsQueryOf = (translation: Translation): GroupsQuery => {
  const { group_type_index: index, properties, search } = translation.params;
  return Object.assign(new GroupsQuery(), {
    ...readPageOfNode(translation),
    group_type_index: typeIndexField.read(index, 'group_type_index'),
    ...(properties !== undefined && { properties: JSON.stringify(properties) }),
    ...(search !== undefined && { search: readText(search, 'search') }),
  });
};

export const readGroupColumns = ({ params }: Translation): ((groups: readonly GroupDto[]) => ShownColumns) =>
  readColumns(columns, params.select, ['group_name'], ({ group_properties }) => group_properties);
