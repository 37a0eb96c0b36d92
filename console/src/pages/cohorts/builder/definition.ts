import { type Schemas } from '../../../api/types';

export type CohortDefinition = Schemas['CohortDefinition'];

/** A criterion as the interface takes it. Fields that the builder does not know are kept as they are. */
export type Criterion = Readonly<Record<string, unknown>>;

export interface CriterionNode {
  readonly id: number;
  readonly criterion: Criterion;
  /** True if it is as the service stored it: then it is complete, and it is sent back as it came. */
  readonly isStored: boolean;
}

export interface GroupNode {
  readonly id: number;
  /** `type`, and other fields beside `values`. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly values: readonly DefinitionNode[];
}

export type DefinitionNode = CriterionNode | GroupNode;

export const isGroupNode = (node: DefinitionNode): node is GroupNode => 'values' in node;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

let lastId = 0;
const nextId = (): number => ++lastId;

export const criterionNode = (criterion: Criterion): CriterionNode => ({ id: nextId(), criterion, isStored: false });

export const groupNode = (type: 'AND' | 'OR', values: readonly DefinitionNode[]): GroupNode => ({
  id: nextId(),
  fields: { type },
  values,
});

export const isAny = ({ fields }: GroupNode): boolean => String(fields['type']).toUpperCase() === 'OR';

const readNode = (value: unknown): DefinitionNode => {
  if (!isRecord(value)) return criterionNode({});
  if (!Array.isArray(value['values'])) return { id: nextId(), criterion: value, isStored: true };
  const { values, ...fields } = value;
  return { id: nextId(), fields, values: (values as unknown[]).map(readNode) };
};

/** The definition of a cohort, as the interface answers it, as a tree whose nodes can be told apart. */
export const readDefinition = (filters: unknown): GroupNode => {
  const root = isRecord(filters) && isRecord(filters['properties']) ? readNode(filters['properties']) : null;
  return root && isGroupNode(root) ? root : groupNode('AND', []);
};

export interface WrittenDefinition {
  readonly filters: CohortDefinition;
  /** The node at each path of the request: an error names such a path. */
  readonly idsByPath: ReadonlyMap<string, number>;
  /** How many criteria were left out. */
  readonly omitted: number;
}

/**
 * The tree as the interface takes it. A group there has criteria or groups, not both: a criterion beside a group becomes a
 * group of its own. `written` gives what is sent for a criterion, or null to leave it out.
 */
export const writeDefinition = (
  root: GroupNode,
  written: (node: CriterionNode) => Criterion | null,
): WrittenDefinition => {
  const idsByPath = new Map<string, number>();
  let omitted = 0;

  const isComplete = (node: DefinitionNode): boolean =>
    isGroupNode(node) ? node.values.length === 0 || node.values.some(isComplete) : written(node) !== null;

  const countOmitted = (node: DefinitionNode): void => {
    if (isGroupNode(node)) node.values.forEach(countOmitted);
    else if (written(node) === null) omitted++;
  };

  const write = (node: DefinitionNode, path: string): Readonly<Record<string, unknown>> => {
    idsByPath.set(path, node.id);
    if (!isGroupNode(node)) return written(node) ?? {};
    const complete = node.values.filter(isComplete);
    const isMixed = complete.some(isGroupNode);
    const values = complete.map((value, index) => {
      const inner = `${path}.values.${index}`;
      if (!isMixed || isGroupNode(value)) return write(value, inner);
      idsByPath.set(inner, value.id);
      return { type: node.fields['type'], values: [write(value, `${inner}.values.0`)] };
    });
    return { ...node.fields, values };
  };

  countOmitted(root);
  // The service checks what is written: the tree keeps fields that the builder does not know.
  const properties = write(root, 'filters.properties') as CohortDefinition['properties'];
  return { filters: { properties }, idsByPath, omitted };
};

/** The node that an error is about, and the field of it. */
export const fieldAt = (
  attr: string | null,
  idsByPath: ReadonlyMap<string, number>,
): { readonly id: number; readonly field: string } | null => {
  if (attr === null) return null;
  const parts = attr.split('.');
  for (let length = parts.length; length > 2; length--) {
    const id = idsByPath.get(parts.slice(0, length).join('.'));
    if (id !== undefined) return { id, field: parts.slice(length).join('.') };
  }
  return null;
};

/** The tree with another node in place of the one with its id; null removes it, and a group that it leaves empty. */
export const replaceNode = (root: GroupNode, id: number, by: DefinitionNode | null): GroupNode => ({
  ...root,
  values: root.values.flatMap((node) => {
    if (node.id === id) return by === null ? [] : [by];
    if (!isGroupNode(node)) return [node];
    const changed = replaceNode(node, id, by);
    return changed.values.length === 0 && node.values.length > 0 ? [] : [changed];
  }),
});
