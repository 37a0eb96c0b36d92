import { type EChartsCoreOption } from 'echarts/core';
import { colorAt } from '../../charts/palette';
import { plainText, shortened } from '../../charts/tooltip';
import { formatCount, type Noun } from '../../ui/format';
import { itemText, pathStepOf, pathStepsOf, stepText, timeText, type PathInsight } from './paths';

const isEdge = (data: unknown): data is { readonly edge: PathInsight['edges'][number] } =>
  typeof data === 'object' && data !== null && 'edge' in data;

/** Each step is a bar, and each edge a ribbon as wide as the number of times that it was taken. */
export const sankeyOption = (
  insight: PathInsight,
  selected: string | null,
  noun: Noun,
  isDark: boolean,
): EChartsCoreOption => ({
  tooltip: {
    trigger: 'item',
    renderMode: 'richText',
    confine: true,
    formatter: ({ data, name }: { data: unknown; name: string }) => {
      if (!isEdge(data)) return stepText(pathStepOf(name));
      const { source, target, value, persons } = data.edge;
      const times = value === persons ? '' : `, ${formatCount(value, 'time')}`;
      return `${itemText(pathStepOf(source).item)} → ${itemText(pathStepOf(target).item)}\n${formatCount(persons, ...noun)}${times}\n${timeText(data.edge)} on average`;
    },
  },
  series: [
    {
      type: 'sankey',
      left: 4,
      right: 130,
      top: 12,
      bottom: 12,
      nodeWidth: 14,
      nodeGap: 24,
      draggable: false,
      emphasis: { focus: 'adjacency' },
      data: pathStepsOf(insight).map(({ key, step, item }) => ({
        name: key,
        depth: step - 1,
        itemStyle: {
          color: colorAt(step - 1),
          borderWidth: key === selected ? 3 : 0,
          borderColor: colorAt(1),
        },
        label: { formatter: plainText(shortened(itemText(item), 22)) },
      })),
      links: insight.edges.map((edge) => ({ source: edge.source, target: edge.target, value: edge.value, edge })),
      label: {
        fontSize: 12,
        padding: [2, 4],
        borderRadius: 3,
        // Ribbons begin behind the label.
        ...(isDark
          ? { color: '#fff', backgroundColor: 'rgba(36,36,36,0.8)' }
          : { color: '#000', backgroundColor: 'rgba(255,255,255,0.8)' }),
      },
      labelLayout: { hideOverlap: true },
      lineStyle: { color: 'source', opacity: 0.28, curveness: 0.5 },
    },
  ],
});
