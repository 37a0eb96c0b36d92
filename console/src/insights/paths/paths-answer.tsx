import { Box, Group, ScrollArea, Text, useComputedColorScheme } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { Chart, type ChartPoint } from '../../charts/chart';
import { EmptyState } from '../../ui/empty-state';
import { formatCount } from '../../ui/format';
import { useActors } from '../actors';
import { type AnswerProps } from '../kind';
import { edgePoint, pathStepsOf, stepText, type PathInsight } from './paths';
import { StepActions } from './step-actions';
import { sankeyOption } from './sankey-option';
import { Select } from '../../ui/select';

const stepWidth = 190;

const withSankey = () => import('../../charts/sankey');

export function PathsAnswer({ insight, params, change, openPersons, onPicture }: AnswerProps<PathInsight>) {
  const { noun } = useActors();
  const [chosen, setChosen] = useState<string | null>(null);
  const pathSteps = useMemo(() => pathStepsOf(insight), [insight]);
  const pathStep = pathSteps.find(({ key }) => key === chosen) ?? null;
  const isDark = useComputedColorScheme('light') === 'dark';
  const option = useMemo(
    () => sankeyOption(insight, pathStep?.key ?? null, noun, isDark),
    [insight, pathStep, noun, isDark],
  );
  const open = useCallback(
    ({ dataType, dataIndex, name }: ChartPoint) => {
      if (dataType === 'node') return setChosen(name);
      const edge = insight.edges[dataIndex];
      if (edge) openPersons(edgePoint(edge));
    },
    [insight, openPersons],
  );
  if (insight.edges.length === 0) {
    return (
      <EmptyState kind="chart" title="No path in this range">
        Try other events, another start or end, a longer range or fewer filters.
      </EmptyState>
    );
  }
  const steps = Math.max(...pathSteps.map(({ step }) => step));
  const widest = Math.max(
    ...Array.from({ length: steps }, (_, at) => pathSteps.filter(({ step }) => step === at + 1).length),
  );
  return (
    <>
      <Group gap="xs" align="center">
        <Select
          aria-label="Step of the paths"
          placeholder="Choose a step"
          w={300}
          searchable
          clearable
          limit={200}
          data={pathSteps.map((one) => ({ value: one.key, label: stepText(one) }))}
          value={pathStep?.key ?? null}
          onChange={setChosen}
        />
        {pathStep ? (
          <StepActions pathStep={pathStep} params={params} change={change} openPersons={openPersons} />
        ) : (
          <Text size="sm" c="dimmed">
            Click a step to choose it, or a ribbon to see its {noun[1]}.
          </Text>
        )}
      </Group>
      <ScrollArea type="auto" offsetScrollbars="present">
        <Box miw={steps * stepWidth}>
          <Chart
            option={option}
            label={`Paths: ${formatCount(insight.edges.length, 'edge')} over ${formatCount(steps, 'step')}. The table below has the numbers.`}
            height={Math.min(900, Math.max(320, widest * 42))}
            onPoint={open}
            onReady={onPicture}
            library={withSankey}
          />
        </Box>
      </ScrollArea>
    </>
  );
}
