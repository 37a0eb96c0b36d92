import {
  Anchor,
  Button,
  Checkbox,
  Group,
  Input,
  NumberInput,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useBlocker } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { answer } from '../../api/client';
import { type Alert, type SavedInsight } from '../../api/types';
import { useOpenProject } from '../../address/project-context';
import { entityName, letterOf, readEntities } from '../../insights/question/entities';
import { DecimalInput } from '../../ui/decimal-input';
import { FormProblem, errorAt } from '../../ui/field-error';
import { Select } from '../../ui/select';
import {
  draftOf,
  newDraft,
  ruleOf,
  type AlertDraft,
  type AlertRule,
  type ConditionType,
  type Typed,
} from './alert-draft';
import { BacktestPicture } from './backtest-picture';
import { Recipients } from './recipients';
import { useBacktest } from './use-backtest';

export type WrittenAlert = AlertRule & { readonly name: string; readonly subscribed_users: number[] };

interface AlertFormProps {
  /** Null for a new alert. */
  readonly alert: Alert | null;
  /** The insight of a new alert, if its page led here. */
  readonly insightId: number | null;
  readonly saveLabel: string;
  readonly isSaving: boolean;
  readonly saveError: Error | null;
  readonly onSave: (written: WrittenAlert) => void;
}

const conditions: readonly { value: ConditionType; label: string }[] = [
  { value: 'absolute_value', label: 'the number' },
  { value: 'relative_increase', label: 'its increase since the interval before' },
  { value: 'relative_decrease', label: 'its decrease since the interval before' },
  { value: 'band', label: 'the number, beside its own past' },
];

const intervals = [
  { value: 'hourly', label: 'every hour' },
  { value: 'daily', label: 'every day' },
  { value: 'weekly', label: 'every week' },
  { value: 'monthly', label: 'every month' },
] as const;

/** The fields in which a refusal is shown. */
const fields = ['name', 'insight', 'threshold', 'condition', 'config', 'subscribed_users'] as const;

/** What is watched and when it fires, with what it would have done in the past, which follows while one writes. */
export function AlertForm({ alert, insightId, saveLabel, isSaving, saveError, onSave }: AlertFormProps) {
  const { project, can } = useOpenProject();
  const stored = alert === null ? '' : JSON.stringify(draftOf(alert));
  const [base, setBase] = useState(() => ({ stored, draft: alert === null ? newDraft(insightId) : draftOf(alert) }));
  const [draft, setDraft] = useState(base.draft);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base.draft);
  // The alert was saved, or changed elsewhere while nothing was being written here.
  if (alert !== null && stored !== base.stored && (!isChanged || stored === JSON.stringify(draft))) {
    const next = { stored, draft: draftOf(alert) };
    setBase(next);
    setDraft(next.draft);
  }
  const set = (change: Partial<AlertDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const rule = useMemo(() => ruleOf(draft), [draft]);
  const canAsk = can('insight:read') && can('person:read');
  // Before there is a bound, the picture shows the number, by which it can be chosen.
  const drawn = rule ?? ruleOf({ ...draft, condition: 'absolute_value', upper: Number.MAX_SAFE_INTEGER });
  const { backtest, error, isCounting } = useBacktest(canAsk ? drawn : null);
  const failed = saveError ?? error;
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged &&
      !isSaving &&
      current.pathname !== next.pathname &&
      !window.confirm('This alert has unsaved changes. Leave without saving?'),
    enableBeforeUnload: isChanged && !isSaving,
  });
  const canWrite = can('alert:write') && canAsk;
  const { condition } = draft;
  return (
    <Stack gap="md">
      <FormProblem error={failed} fields={fields} />
      <BacktestPicture
        backtest={error ? undefined : backtest}
        isCounting={isCounting}
        hasBounds={rule !== null && (condition === 'absolute_value' || condition === 'band')}
        missing={draft.insight === null ? 'Choose an insight' : rule === null ? 'Enter a bound' : null}
      />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (rule !== null) onSave({ ...rule, name: draft.name.trim(), subscribed_users: [...draft.subscribers] });
        }}
      >
        <fieldset disabled={!canWrite} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
          <Paper withBorder p="md">
            <Stack gap="md">
              <TextInput
                label="Name"
                description="Shown in messages"
                required
                maxLength={400}
                maw={560}
                data-autofocus
                value={draft.name}
                error={errorAt(failed, 'name')}
                onChange={({ currentTarget }) => set({ name: currentTarget.value })}
              />
              <Watched projectId={String(project.id)} draft={draft} error={failed} onChange={set} />
              <Stack gap="xs" component="section" aria-label="Alert when">
                <Title order={2} size="h5">
                  Alert when
                </Title>
                <Group gap="xs">
                  <Select
                    aria-label="What is compared"
                    w={320}
                    data={conditions}
                    value={condition}
                    allowDeselect={false}
                    onChange={(chosen) => chosen !== null && set({ condition: chosen })}
                  />
                  {condition === 'band' ? (
                    <Band draft={draft} onChange={set} />
                  ) : (
                    <Bounds draft={draft} onChange={set} />
                  )}
                </Group>
                {['threshold', 'condition'].map((field) => {
                  const fault = errorAt(failed, field);
                  return (
                    fault !== null && (
                      <Input.Error key={field} role="alert">
                        {fault}
                      </Input.Error>
                    )
                  );
                })}
              </Stack>
              <Group gap="lg">
                <Group gap="xs">
                  <Text size="sm">It is checked</Text>
                  <Select
                    aria-label="How often it is checked"
                    w={150}
                    data={intervals}
                    value={draft.interval}
                    allowDeselect={false}
                    onChange={(chosen) => chosen !== null && set({ interval: chosen })}
                  />
                </Group>
                <Checkbox
                  label="Skip weekends"
                  checked={draft.skipsWeekend}
                  onChange={({ currentTarget }) => set({ skipsWeekend: currentTarget.checked })}
                />
              </Group>
              <Text size="sm" c="dimmed">
                Each interval is checked once, a minute after it ends. Recipients are told once when a breach begins and
                once when it ends.
              </Text>
              <Recipients
                subscribers={draft.subscribers}
                stored={alert?.subscribed_users ?? []}
                isReadOnly={!canWrite}
                error={errorAt(failed, 'subscribed_users')}
                onChange={(subscribers) => set({ subscribers })}
              />
              {canWrite && (
                <Group gap="xs" justify="flex-end">
                  {isChanged && alert !== null && (
                    <Button variant="default" disabled={isSaving} onClick={() => setDraft(base.draft)}>
                      Undo changes
                    </Button>
                  )}
                  <Button
                    type="submit"
                    loading={isSaving}
                    disabled={rule === null || draft.name.trim() === '' || (alert !== null && !isChanged)}
                  >
                    {saveLabel}
                  </Button>
                </Group>
              )}
            </Stack>
          </Paper>
        </fieldset>
      </form>
    </Stack>
  );
}

interface PartProps {
  readonly draft: AlertDraft;
  readonly onChange: (change: Partial<AlertDraft>) => void;
}

const typed = (value: number | string): Typed => (typeof value === 'number' ? value : '');

function Bounds({ draft: { condition, isShare, lower, upper }, onChange }: PartProps) {
  const isChange = condition !== 'absolute_value';
  const suffix = isChange && isShare ? '%' : '';
  const bound = (label: string, name: 'lower' | 'upper', value: Typed): ReactNode => (
    <DecimalInput
      aria-label={label}
      placeholder="no bound"
      w={130}
      suffix={suffix}
      thousandSeparator=","
      value={value}
      onChange={(changed) => onChange({ [name]: changed })}
    />
  );
  return (
    <>
      {isChange && (
        <SegmentedControl
          aria-label="How the change is measured"
          size="xs"
          data={[
            { value: 'number', label: 'number' },
            { value: 'share', label: '%' },
          ]}
          value={isShare ? 'share' : 'number'}
          onChange={(chosen) => onChange({ isShare: chosen === 'share' })}
        />
      )}
      <Text size="sm">is below</Text>
      {bound('Lower bound', 'lower', lower)}
      <Text size="sm">or above</Text>
      {bound('Upper bound', 'upper', upper)}
    </>
  );
}

function Band({ draft: { deviations, periods }, onChange }: PartProps) {
  return (
    <>
      <Text size="sm">is more than</Text>
      <DecimalInput
        aria-label="Deviations"
        w={80}
        min={0.1}
        max={100}
        step={0.5}
        value={deviations}
        onChange={(value) => onChange({ deviations: value })}
      />
      <Text size="sm">usual deviations from the median of</Text>
      <NumberInput
        aria-label="Periods"
        w={80}
        min={3}
        max={26}
        allowDecimal={false}
        value={periods}
        onChange={(value) => onChange({ periods: typed(value) })}
      />
      <Text size="sm">earlier intervals, of the same weekday for hours and days</Text>
    </>
  );
}

/** The insight, and the series of it whose number is watched. */
function Watched({
  projectId,
  draft,
  error,
  onChange,
}: PartProps & { readonly projectId: string; readonly error: Error | null }) {
  const { data } = useQuery(
    answer('/api/projects/{project_id}/insights', { path: { project_id: projectId }, query: { limit: 1000 } }),
  );
  const trends = (data?.results ?? []).filter(({ question }) => question.type === 'trends');
  const chosen = trends.find(({ id }) => id === draft.insight);
  const nameOf = ({ name, derived_name: derived }: SavedInsight): string => name || derived;
  const params = chosen?.question.params;
  // A formula makes one series of all.
  const labels = params === undefined || params.formula !== undefined ? [] : readEntities(params).map(entityName);
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label="Insight"
        description="A saved trend by the hour, day, week or month, without a breakdown"
        placeholder={data && trends.length === 0 ? 'No trend is saved yet' : 'Choose a saved trend'}
        flex="1 1 280px"
        maw={560}
        searchable
        limit={100}
        data={trends.map((insight) => ({ value: String(insight.id), label: nameOf(insight) }))}
        value={draft.insight === null ? null : String(draft.insight)}
        error={errorAt(error, 'insight') ?? errorAt(error, 'config')}
        onChange={(id) => onChange({ insight: id === null ? null : Number(id), series: 0 })}
      />
      {labels.length > 1 && (
        <Select
          label="Series"
          w={220}
          data={labels.map((label, at) => ({ value: String(at), label: `${letterOf(at)} ${label}` }))}
          value={String(draft.series)}
          allowDeselect={false}
          onChange={(at) => onChange({ series: Number(at ?? 0) })}
        />
      )}
      {draft.insight !== null && (
        <Anchor component={Link} to={`/p/${projectId}/saved?insight=${draft.insight}`} size="sm" mb={8}>
          Open the insight
        </Anchor>
      )}
    </Group>
  );
}
