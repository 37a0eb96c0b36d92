import { Button, Checkbox, Group, NumberInput, Paper, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useBlocker } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { type Flag, type Schemas } from '../../../api/types';
import { useOpenProject } from '../../../address/project-context';
import { ActorsContext, useActorsOfType } from '../../../insights/actors';
import { ActorsSelect } from '../../../insights/actors-select';
import { DecimalInput } from '../../../ui/decimal-input';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { ConditionCard } from './condition-card';
import { CountBar } from './count-bar';
import {
  copyOf,
  draftOf,
  faultOf,
  newCondition,
  newDraft,
  rulesOf,
  unfinishedIn,
  type ConditionDraft,
  type FlagDraft,
} from './draft';
import { useFlagPreview } from './use-flag-preview';
import { VariantsEditor } from './variants-editor';

export interface WrittenFlag {
  readonly key: string;
  readonly name: string;
  readonly filters: Schemas['FlagRules'];
}

interface FlagFormProps {
  /** Null for a new flag. */
  readonly flag: Flag | null;
  readonly saveLabel: string;
  readonly isSaving: boolean;
  readonly saveError: Error | null;
  readonly onSave: (written: WrittenFlag) => void;
  /** More about a new flag, beside its key. */
  readonly children?: ReactNode;
}

const maxConditions = 100;

const baseOf = (flag: Flag | null) => ({
  stored: flag === null ? '' : JSON.stringify([flag.key, flag.name, flag.filters]),
  draft: flag === null ? newDraft() : draftOf(flag),
});

/** Key, conditions, variants and payloads of a flag, with the number of those who get it, which follows while one writes. */
export function FlagForm({ flag, saveLabel, isSaving, saveError, onSave, children }: FlagFormProps) {
  const { can } = useOpenProject();
  const [base, setBase] = useState(() => baseOf(flag));
  const [draft, setDraft] = useState(base.draft);
  const isChanged = useMemo(() => JSON.stringify(draft) !== JSON.stringify(base.draft), [draft, base]);
  const rules = useMemo(() => rulesOf(draft), [draft]);
  const stored = flag === null ? '' : JSON.stringify([flag.key, flag.name, flag.filters]);
  // The flag was saved, or changed elsewhere while nothing was being written here.
  const isSaved =
    flag !== null && flag.key === draft.key && JSON.stringify(rulesOf(draftOf(flag))) === JSON.stringify(rules);
  if (stored !== base.stored && (!isChanged || isSaved)) {
    const next = baseOf(flag);
    setBase(next);
    setDraft(next.draft);
  }
  const set = (change: Partial<FlagDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const actors = useActorsOfType(draft.groupType);
  const fault = faultOf(draft);
  const unfinished = unfinishedIn(draft);
  const canCount = can('person:read') && (draft.groupType === null || can('group:read'));
  const { preview, error, isCounting } = useFlagPreview(
    draft.key,
    canCount && fault === null ? JSON.stringify(rules) : null,
  );
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged &&
      !isSaving &&
      current.pathname !== next.pathname &&
      !window.confirm('This flag has unsaved changes. Leave without saving?'),
    enableBeforeUnload: isChanged && !isSaving,
  });
  const failed = saveError ?? error;
  const { conditions } = draft;
  const setConditions = (changed: readonly ConditionDraft[]): void => set({ conditions: changed });
  const moved = (at: number, by: 1 | -1): readonly ConditionDraft[] => {
    const [one, rest] = [conditions[at], conditions.filter((_, index) => index !== at)];
    return one === undefined ? conditions : [...rest.slice(0, at + by), one, ...rest.slice(at + by)];
  };
  const canWrite = can('feature_flag:write');
  return (
    <Stack gap="md">
      <CountBar
        preview={error ? undefined : preview}
        isCounting={isCounting}
        fault={canCount ? fault : 'Your role cannot count persons'}
        unfinished={unfinished}
        actions={
          canWrite && (
            <>
              {isChanged && flag !== null && (
                <Button variant="default" disabled={isSaving} onClick={() => setDraft(base.draft)}>
                  Undo changes
                </Button>
              )}
              <Button
                loading={isSaving}
                disabled={draft.key.trim() === '' || fault !== null || unfinished > 0 || (flag !== null && !isChanged)}
                onClick={() => onSave({ key: draft.key.trim(), name: draft.name, filters: rules })}
              >
                {saveLabel}
              </Button>
            </>
          )
        }
      />
      <FormProblem error={failed} fields={['key', 'name', ...conditions.map((_, at) => `filters.groups.${at}`)]} />
      <fieldset disabled={!canWrite} style={{ border: 0, padding: 0, margin: 0, minWidth: 0, display: 'contents' }}>
        <Paper withBorder p="md" component="section" aria-label="The flag">
          <Stack gap="sm">
            <Group align="flex-start" gap="sm">
              <TextInput
                label="Key"
                description={
                  flag !== null && draft.key !== flag.key
                    ? 'A new key draws percentages anew, and code that uses the old one gets nothing'
                    : 'The name in code: letters, digits, - and _'
                }
                required
                maxLength={400}
                flex="1 1 240px"
                data-autofocus
                placeholder="new-checkout"
                value={draft.key}
                error={errorAt(failed, 'key')}
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                onChange={({ currentTarget }) => set({ key: currentTarget.value })}
              />
              <TextInput
                label="Description"
                description="What it is for"
                maxLength={1000}
                flex="2 1 300px"
                value={draft.name}
                error={errorAt(failed, 'name')}
                onChange={({ currentTarget }) => set({ name: currentTarget.value })}
              />
            </Group>
            {children}
          </Stack>
        </Paper>
        <Stack gap="sm" component="section" aria-label="Who gets it">
          <Group justify="space-between" gap="xs" align="flex-end">
            <div>
              <Title order={2} size="h4">
                Who gets it
              </Title>
              <Text size="sm" c="dimmed">
                {conditions.length === 0
                  ? 'Without a condition, the flag is off for everyone.'
                  : 'The first condition that holds decides.'}
              </Text>
            </div>
            {actors.types.length > 0 && (
              <Group gap="xs">
                <Text size="sm">It is decided for</Text>
                <ActorsContext value={actors}>
                  <ActorsSelect
                    label="Whom the flag is about"
                    onChange={(groupType) => set({ groupType, conditions: [newCondition()] })}
                  />
                </ActorsContext>
              </Group>
            )}
          </Group>
          {conditions.map((condition, at) => (
            <ConditionCard
              key={condition.id}
              draft={draft}
              at={at}
              condition={condition}
              counted={error ? undefined : preview?.conditions[at]}
              refusal={errorAt(failed, `filters.groups.${at}`)}
              onChange={(changed) => setConditions(conditions.map((one, index) => (index === at ? changed : one)))}
              onMove={(by) => setConditions(moved(at, by))}
              onCopy={() =>
                setConditions([...conditions.slice(0, at + 1), copyOf(condition), ...conditions.slice(at + 1)])
              }
              onRemove={() => setConditions(conditions.filter((_, index) => index !== at))}
            />
          ))}
          <Button
            size="xs"
            variant="default"
            style={{ alignSelf: 'flex-start' }}
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={conditions.length >= maxConditions}
            onClick={() => setConditions([...conditions, newCondition()])}
          >
            Add a condition for others
          </Button>
        </Stack>
        <Paper withBorder p="md" component="section" aria-label="What they get">
          <Title order={2} size="h4" mb="sm">
            What they get
          </Title>
          <VariantsEditor draft={draft} onChange={set} />
        </Paper>
        <Paper withBorder p="md" component="section" aria-label="Exceptions">
          <Title order={2} size="h4" mb="sm">
            Exceptions
          </Title>
          <Stack gap="sm">
            <Checkbox
              label="Stop at the first condition whose filters match"
              description="Those outside its percentage then get nothing, even if a later condition matches"
              checked={draft.earlyExit}
              onChange={({ currentTarget }) => set({ earlyExit: currentTarget.checked })}
            />
            <Holdout draft={draft} onChange={set} />
          </Stack>
        </Paper>
      </fieldset>
    </Stack>
  );
}

function Holdout({
  draft: { holdout },
  onChange,
}: {
  readonly draft: FlagDraft;
  readonly onChange: (change: Partial<FlagDraft>) => void;
}) {
  return (
    <Group gap="sm" align="flex-start">
      <Switch
        label="Hold a share out"
        description="The same share for every flag; they get the variant “holdout” with its number"
        checked={holdout !== null}
        onChange={({ currentTarget }) => onChange({ holdout: currentTarget.checked ? { id: 1, share: 10 } : null })}
      />
      {holdout !== null && (
        <>
          <DecimalInput
            label="Percentage"
            w={110}
            min={0}
            max={100}
            decimalScale={2}
            suffix="%"
            value={holdout.share}
            onChange={(value) => onChange({ holdout: { ...holdout, share: value } })}
          />
          <NumberInput
            label="Number"
            w={90}
            min={1}
            allowDecimal={false}
            value={holdout.id}
            onChange={(value) => onChange({ holdout: { ...holdout, id: typeof value === 'number' ? value : 1 } })}
          />
        </>
      )}
    </Group>
  );
}
