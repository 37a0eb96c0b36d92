import { fault, type SourcePosition } from '../fault.js';
import {
  type Body,
  type Cte,
  type Item,
  type Join,
  type JoinKind,
  type Named,
  type Query,
  type Select,
  type Source,
} from '../tree.js';
import { readOrderings, readWindow } from './calls.js';
import { literalOfToken, markerAt, type Checking } from './checking.js';
import { type NodeFields, fieldsOf, nodesOf, positionOf, variantOf } from './node.js';
import { readName } from './lists.js';
import { titlesOf } from './titles.js';

export const readQuery = (checking: Checking, node: unknown, at: SourcePosition): Query => {
  const position = positionOf(node, at);
  const { with: ctes, body, order_by: order, limit_clause: limit } = fieldsOf('Query', node, position);
  return {
    kind: 'full query',
    at: position,
    ctes: (ctes ?? null) === null ? [] : readCtes(checking, ctes, position),
    body: readBody(checking, body, position),
    orderBy: (order ?? null) === null ? [] : readOrderBy(checking, order, position),
    ...readLimit(checking, limit, position),
  };
};

const readCtes = (checking: Checking, node: unknown, at: SourcePosition): Cte[] =>
  nodesOf(fieldsOf('With', node, at).cte_tables).map((cte) => {
    const { alias, query } = fieldsOf('Cte', cte, at);
    return { name: readAlias(alias, at), query: checking.query(query, at) };
  });

const readAlias = (node: unknown, at: SourcePosition): Named => readName(fieldsOf('TableAlias', node, at).name, at);

const readOptionalAlias = (node: unknown, at: SourcePosition): Named | null => {
  if ((node ?? null) === null) return null;
  const alias = readAlias(node, at);
  const { explicit } = node as NodeFields;
  // The parser takes these words after a table for its alias.
  if (
    explicit === false &&
    ['final', 'any', 'asof', 'prewhere', 'sample', 'global'].includes(alias.text.toLowerCase())
  ) {
    throw fault(`${alias.text.toUpperCase()} is not allowed here: remove it`, alias.at);
  }
  return alias;
};

const readOrderBy = (checking: Checking, node: unknown, at: SourcePosition) => {
  const { name, content } = variantOf(fieldsOf('OrderBy', node, at).kind);
  if (name !== 'Expressions') throw fault('ORDER BY ALL is not allowed: name the columns', at);
  return readOrderings(checking, nodesOf(content), at);
};

const readLimit = (
  checking: Checking,
  node: unknown,
  at: SourcePosition,
): Pick<Query, 'limit' | 'offset' | 'limitBy'> => {
  if ((node ?? null) === null) return { limit: null, offset: null, limitBy: null };
  const { name, content } = variantOf(node);
  const optional = (one: unknown) => ((one ?? null) === null ? null : checking.expression(one, at));
  if (name === 'OffsetCommaLimit') {
    const { offset, limit } = fieldsOf('OffsetCommaLimit', content, at);
    return { limit: optional(limit), offset: optional(offset), limitBy: null };
  }
  const { limit, offset, limit_by: by } = fieldsOf('LimitOffset', content, at);
  const value = (offset ?? null) === null ? null : fieldsOf('Offset', offset, at).value;
  const [rows, skipped] = [optional(limit), optional(value)];
  if (nodesOf(by).length === 0) return { limit: rows, offset: skipped, limitBy: null };
  if (!rows || skipped) throw fault('LIMIT … BY is written as LIMIT 2 BY column', rows?.at ?? at);
  const limitBy = { rows, by: nodesOf(by).map((one) => checking.expression(one, at)) };
  return { ...secondLimit(checking, positionOf(limit, at)), limitBy };
};

/** Reads the LIMIT after a LIMIT … BY. The parser cannot read it, so it is in a marker. */
const secondLimit = (checking: Checking, at: SourcePosition): Pick<Query, 'limit' | 'offset'> => {
  const marker = markerAt(checking, at);
  if (marker?.kind !== 'limit') return { limit: null, offset: null };
  return {
    limit: literalOfToken(marker.limit, false),
    offset: marker.offset ? literalOfToken(marker.offset, false) : null,
  };
};

const readBody = (checking: Checking, node: unknown, at: SourcePosition): Body => {
  const { name, content } = variantOf(node);
  switch (name) {
    case 'Select':
      return readSelect(checking, content, positionOf((content as NodeFields).select_token, at));
    case 'Query':
      return checking.query(content, at);
    case 'SetOperation': {
      const { op, set_quantifier: quantifier, left, right } = fieldsOf('SetOperation', content, at);
      if (variantOf(op).name !== 'Union')
        throw fault(`${variantOf(op).name.toUpperCase()} is not allowed: use UNION, IN or NOT IN`, at);
      const how = variantOf(quantifier).name;
      if (!['All', 'Distinct', 'None', ''].includes(how)) throw fault('A UNION is ALL or DISTINCT', at);
      const distinct = how !== 'All';
      return { kind: 'union', at, distinct, left: readBody(checking, left, at), right: readBody(checking, right, at) };
    }
    default:
      throw fault('A question is a SELECT, or several with UNION', at);
  }
};

const groupings: Readonly<Record<string, Select['grouping']>> = { Rollup: 'rollup', Cube: 'cube', Totals: 'totals' };

const readSelect = (checking: Checking, node: unknown, at: SourcePosition): Select => {
  const fields = fieldsOf('Select', node, at);
  const optional = (one: unknown) => ((one ?? null) === null ? null : checking.expression(one, at));
  const distinct = variantOf(fields.distinct).name;
  if (distinct === 'On') throw fault('DISTINCT ON is not allowed: write LIMIT 1 BY …', at);
  const titles = titlesOf(checking.tokens, checking.text, at);
  return {
    kind: 'select',
    at,
    distinct: distinct === 'Distinct',
    items: nodesOf(fields.projection).map((item, index) =>
      readItem(checking, item, titles[index] ?? `column ${index + 1}`, at),
    ),
    ...readFrom(checking, nodesOf(fields.from), at),
    where: optional(fields.selection),
    ...readGroupBy(checking, fields.group_by, at),
    having: optional(fields.having),
    qualify: optional(fields.qualify),
    windows: nodesOf(fields.named_window).map((window) => {
      const [name, definition] = nodesOf(window);
      const { name: form, content } = variantOf(definition);
      if (form !== 'WindowSpec')
        throw fault('A window is defined in brackets: WINDOW w AS (PARTITION BY …)', positionOf(name, at));
      return { name: readName(name, at), window: readWindow(checking, content, at) };
    }),
  };
};

const readItem = (checking: Checking, node: unknown, title: string, at: SourcePosition): Item => {
  const { name, content } = variantOf(node);
  const position = positionOf(node, at);
  switch (name) {
    case 'UnnamedExpr':
      return { kind: 'expression', expression: checking.expression(content, position), alias: null, title };
    case 'ExprWithAlias': {
      const { expr, alias } = fieldsOf('ExprWithAlias', content, position);
      return {
        kind: 'expression',
        expression: checking.expression(expr, position),
        alias: readName(alias, position),
        title,
      };
    }
    case 'Wildcard':
      return { kind: 'star', of: null, except: readExcept(content, position), at: position };
    case 'QualifiedWildcard': {
      const [of, options] = nodesOf(content);
      const [table, ...more] = nodesOf(variantOf(of).content);
      if (variantOf(of).name !== 'ObjectName' || more.length > 0)
        throw fault('.* needs the name of a table before it', position);
      return {
        kind: 'star',
        of: readName(variantOf(table).content, position),
        except: readExcept(options, position),
        at: position,
      };
    }
    default:
      throw fault(`${title} is not known here`, position);
  }
};

const readExcept = (node: unknown, at: SourcePosition): Named[] => {
  const { opt_except: except } = fieldsOf('WildcardOptions', node, at);
  if ((except ?? null) === null) return [];
  const { first_element: first, additional_elements: more } = fieldsOf('ExceptSelectItem', except, at);
  return [first, ...nodesOf(more)].map((one) => readName(one, at));
};

const readGroupBy = (checking: Checking, node: unknown, at: SourcePosition): Pick<Select, 'groupBy' | 'grouping'> => {
  const { name, content } = variantOf(node);
  const modifiers = nodesOf(name === 'All' ? content : nodesOf(content)[1]).map((one) => variantOf(one).name);
  const [modifier, ...more] = modifiers;
  const grouping = modifier === undefined ? null : groupings[modifier];
  if (grouping === undefined || more.length > 0)
    throw fault('GROUP BY knows WITH ROLLUP, WITH CUBE and WITH TOTALS', at);
  if (grouping === 'totals') throw fault('WITH TOTALS is not allowed: write WITH ROLLUP', at);
  if (name === 'All') return { groupBy: 'all', grouping };
  return { groupBy: nodesOf(nodesOf(content)[0]).map((one) => checking.expression(one, at)), grouping };
};

const readFrom = (
  checking: Checking,
  nodes: readonly unknown[],
  at: SourcePosition,
): Pick<Select, 'from' | 'joins'> => {
  const [first, ...others] = nodes.map((node) => fieldsOf('TableWithJoins', node, at));
  if (!first) return { from: null, joins: [] };
  const joinsOf = (fields: NodeFields) => nodesOf(fields.joins).map((join) => readJoin(checking, join, at));
  // A comma is a CROSS JOIN.
  const crossed = others.flatMap((fields): Join[] => [
    { kind: 'cross', source: readSource(checking, fields.relation, at), on: null, using: [] },
    ...joinsOf(fields),
  ]);
  return { from: readSource(checking, first.relation, at), joins: [...joinsOf(first), ...crossed] };
};

const joinKinds: Readonly<Record<string, JoinKind>> = {
  Join: 'inner',
  Inner: 'inner',
  Left: 'left',
  LeftOuter: 'left',
  Right: 'right',
  RightOuter: 'right',
  FullOuter: 'full',
  CrossJoin: 'cross',
};

const readJoin = (checking: Checking, node: unknown, at: SourcePosition): Join => {
  const { relation, join_operator: operator } = fieldsOf('Join', node, at);
  const position = positionOf(relation, at);
  const { name, content } = variantOf(operator);
  const kind = joinKinds[name];
  if (!kind)
    throw fault(
      name === 'ArrayJoin'
        ? 'ARRAY JOIN is not allowed: write arrayJoin(list) in the SELECT'
        : 'Joins are INNER, LEFT, RIGHT, FULL and CROSS',
      position,
    );
  const constraint = variantOf(content);
  const source = readSource(checking, relation, position);
  if (kind === 'cross') {
    if (constraint.name !== 'None' && constraint.name !== '')
      throw fault('A CROSS JOIN has no condition: write INNER JOIN', position);
    return { kind, source, on: null, using: [] };
  }
  if (constraint.name === 'On')
    return { kind, source, on: checking.expression(constraint.content, position), using: [] };
  if (constraint.name !== 'Using') throw fault('A join needs a condition: ON a.id = b.id, or USING (id)', position);
  const using = nodesOf(constraint.content).map((parts) => {
    const [part, ...more] = nodesOf(parts);
    if (more.length > 0) throw fault('USING needs names of columns without a table', position);
    return readName(variantOf(part).content, position);
  });
  return { kind, source, on: null, using };
};

const readSource = (checking: Checking, node: unknown, at: SourcePosition): Source => {
  const { name, content } = variantOf(node);
  const position = positionOf(node, at);
  switch (name) {
    case 'Table': {
      const fields = fieldsOf('Table', content, position);
      const parts = nodesOf(fields.name).map((part) => readName(variantOf(part).content, position));
      const [table, ...more] = parts;
      if (!table || more.length > 0) throw fault('A table has one name, without the name of a database', position);
      return { kind: 'table', name: table, alias: readOptionalAlias(fields.alias, position) };
    }
    case 'Derived': {
      const { subquery, alias } = fieldsOf('Derived', content, position);
      return {
        kind: 'query',
        query: checking.query(subquery, position),
        alias: readOptionalAlias(alias, position),
        at: position,
      };
    }
    default:
      throw fault('FROM needs a table, or a SELECT in brackets', position);
  }
};
