import { Button, Stack } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { inFormWords } from '../../../api/field-words';
import { ProblemError } from '../../../api/problem-error';
import { useOpenProject } from '../../../address/project-context';
import { useActors } from '../../../insights/actors';
import { ProblemAlert } from '../../../ui/problem-alert';
import { isComplete, newCriterion, writtenCriterion } from './criteria';
import { type Refusal } from './criterion-editor';
import {
  criterionNode,
  groupNode,
  isGroupNode,
  fieldAt,
  readDefinition,
  replaceNode,
  writeDefinition,
  type GroupNode,
  type WrittenDefinition,
} from './definition';
import { GroupEditor } from './group-editor';
import { PreviewBar } from './preview-bar';
import { usePreview } from './use-preview';

interface DefinitionBuilderProps {
  /** The definition as the service has it; null for a new cohort. */
  readonly stored: unknown;
  /** The id of the cohort; null for a new one. */
  readonly ownId: number | null;
  readonly saveLabel: string;
  /** True if everything beside the definition is ready to be saved. */
  readonly canSave: boolean;
  readonly isSaving: boolean;
  readonly saveError: Error | null;
  readonly onSave: (filters: WrittenDefinition['filters']) => void;
}

const treeOf = (stored: unknown): GroupNode =>
  stored === null ? groupNode('AND', [criterionNode(newCriterion())]) : readDefinition(stored);

/** The definition of a dynamic cohort, with the number of members that follows while one writes. */
export function DefinitionBuilder(props: DefinitionBuilderProps) {
  const { stored, ownId, saveLabel, canSave, isSaving, saveError, onSave } = props;
  const { project, can } = useOpenProject();
  const [base, setBase] = useState(() => ({ stored, tree: treeOf(stored) }));
  const [tree, setTree] = useState(base.tree);

  const isChanged = tree !== base.tree;
  const whole = useMemo(() => writeDefinition(tree, writtenCriterion), [tree]);
  const storedText = JSON.stringify(stored);
  // The definition was saved, or changed elsewhere while nothing was being written here.
  if (storedText !== JSON.stringify(base.stored) && (!isChanged || storedText === JSON.stringify(whole.filters))) {
    const next = { stored, tree: treeOf(stored) };
    setBase(next);
    setTree(next.tree);
  }

  const counted = useMemo(
    () => writeDefinition(tree, (node) => (isComplete(node) ? writtenCriterion(node) : null)),
    [tree],
  );
  const isEmpty = counted.filters.properties.values.length === 0;
  const projectId = String(project.id);
  const { groupType } = useActors();
  const canCount = can(groupType === null ? 'person:read' : 'group:read') && !isEmpty;
  const { preview, error, isCounting, retry } = usePreview(
    projectId,
    canCount ? JSON.stringify(counted.filters) : null,
    groupType,
  );

  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged &&
      !isSaving &&
      current.pathname !== next.pathname &&
      !window.confirm('This definition has unsaved changes. Leave without saving?'),
    enableBeforeUnload: isChanged && !isSaving,
  });

  const failed = saveError ?? error;
  const refusal = refusalOf(failed, saveError ? whole.idsByPath : counted.idsByPath);
  const replace = (id: number, by: Parameters<typeof replaceNode>[2]): void =>
    setTree((before) =>
      id !== before.id ? replaceNode(before, id, by) : by !== null && isGroupNode(by) ? by : groupNode('AND', []),
    );
  return (
    <Stack gap="sm">
      <PreviewBar
        projectId={projectId}
        preview={preview}
        isCounting={isCounting}
        hasError={error !== null}
        omitted={counted.omitted}
        isEmpty={isEmpty}
        actions={
          can('cohort:write') && (
            <>
              {isChanged && stored !== null && (
                <Button variant="default" disabled={isSaving} onClick={() => setTree(base.tree)}>
                  Undo changes
                </Button>
              )}
              <Button
                loading={isSaving}
                disabled={!canSave || isEmpty || counted.omitted > 0 || (stored !== null && !isChanged)}
                onClick={() => onSave(whole.filters)}
              >
                {saveLabel}
              </Button>
            </>
          )
        }
      />
      {failed && !refusal && <ProblemAlert error={failed} {...(saveError ? {} : { onRetry: retry })} />}
      <fieldset disabled={!can('cohort:write')} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
        <GroupEditor group={tree} depth={0} ownId={ownId} refusal={refusal} onReplace={replace} />
      </fieldset>
    </Stack>
  );
}

const refusalOf = (error: Error | null, idsByPath: WrittenDefinition['idsByPath']): Refusal | null => {
  if (!(error instanceof ProblemError)) return null;
  const { attr, detail } = error.problem;
  const found = fieldAt(attr, idsByPath);
  if (attr === null || found === null) return null;
  const criterion = found.field === '' ? attr : attr.slice(0, -found.field.length - 1);
  return { ...found, detail: inFormWords(detail, attr, criterion) };
};
