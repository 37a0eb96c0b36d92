import { type ProjectContext } from '../../kernel/access/project-context.js';

export const nameKinds = ['event', 'event_property', 'person_property'] as const;

export type NameKind = (typeof nameKinds)[number];

/** The names that a project has hidden from lists. The module of the catalogue lies above this one and provides the implementation. */
export abstract class HiddenNames {
  abstract of(project: ProjectContext, kind: NameKind): Promise<readonly string[]>;
}
