import { Box, Skeleton, useComputedColorScheme } from '@mantine/core';
import { type EChartsCoreOption, type EChartsType, type init } from 'echarts/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { seriesColors } from './palette';

export interface ChartPoint {
  /** `series`, or `markLine` for a mark on the picture. */
  readonly componentType?: string;
  readonly seriesIndex: number;
  readonly dataIndex: number;
  readonly name: string;
  readonly data: unknown;
  /** `node` or `edge` in a Sankey diagram. */
  readonly dataType?: string;
}

export interface ChartProps {
  readonly option: EChartsCoreOption;
  /** Screen readers read this instead of the picture. The numbers must be reachable as text elsewhere on the page. */
  readonly label: string;
  readonly height?: number;
  readonly onPoint?: (point: ChartPoint) => void;
  /** Receives the function that returns the picture as a PNG data address, and null when the picture is gone. */
  readonly onReady?: (toPng: (() => string) | null) => void;
  /** What a saved picture has beside the option: a page says it outside of the picture. */
  readonly pngOption?: EChartsCoreOption | undefined;
  /** The indexes of the series that stand out; a stable array. */
  readonly highlighted?: readonly number[];
  /** ECharts with the kinds of pictures that are drawn. */
  readonly library?: () => Promise<{ readonly init: typeof init }>;
}

const linesAndBars = () => import('./echarts');

const none: readonly number[] = [];

const paper = { light: '#ffffff', dark: '#242424' } as const;

/** A tile sets `--picture-height`. A picture that is high because of its contents needs all of its height. */
const leastHeight = (height: number): number => (height > 360 ? height : Math.min(height, 150));

/** Draws with ECharts, which is loaded when the first picture is drawn, and keeps the old picture until the new one is ready. */
export function Chart({
  option,
  label,
  height = 340,
  onPoint,
  onReady,
  pngOption,
  highlighted = none,
  library = linesAndBars,
}: ChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<EChartsType | null>(null);
  const scheme = useComputedColorScheme('light');

  useEffect(() => {
    let made: EChartsType | null = null;
    let isGone = false;
    // A picture that was made before its page was shown has a size of its own.
    const watcher = new ResizeObserver(([report]) => {
      const { width, height } = report?.contentRect ?? { width: 0, height: 0 };
      const isAsLarge = made?.getWidth() === Math.floor(width) && made.getHeight() === Math.floor(height);
      if (width !== 0 && !isAsLarge) made?.resize();
    });
    void library().then(({ init }) => {
      if (isGone || !holder.current) return;
      made = init(holder.current, scheme === 'dark' ? 'dark' : undefined, { renderer: 'canvas' });
      watcher.observe(holder.current);
      setChart(made);
    });
    return () => {
      isGone = true;
      watcher.disconnect();
      made?.dispose();
      setChart(null);
    };
  }, [scheme, library]);

  const draw = useCallback(() => {
    chart?.setOption(
      {
        backgroundColor: 'transparent',
        color: seriesColors,
        textStyle: { fontFamily: 'system-ui, sans-serif' },
        animation: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
        animationDuration: 250,
        aria: { enabled: true, label: { description: label } },
        ...option,
      },
      // Drawn in the next frame, apart from the work on the option.
      { notMerge: true, lazyUpdate: true },
    );
  }, [chart, option, label]);
  useEffect(draw, [draw]);

  useEffect(() => {
    if (!chart || !onPoint) return;
    const listen = (event: unknown): void => onPoint(event as ChartPoint);
    chart.on('click', listen);
    return () => {
      if (!chart.isDisposed()) chart.off('click', listen);
    };
  }, [chart, onPoint]);

  useEffect(() => {
    if (!chart || !onReady) return;
    onReady(() => {
      if (pngOption) chart.setOption({ animation: false, ...pngOption });
      const address = chart.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: paper[scheme] });
      if (pngOption) draw();
      return address;
    });
    return () => onReady(null);
  }, [chart, onReady, scheme, pngOption, draw]);

  useEffect(() => {
    if (!chart || highlighted.length === 0) return;
    chart.dispatchAction({ type: 'highlight', seriesIndex: highlighted });
    return () => {
      if (!chart.isDisposed()) chart.dispatchAction({ type: 'downplay' });
    };
  }, [chart, highlighted]);

  return (
    <Box pos="relative" h={`max(var(--picture-height, ${height}px), ${leastHeight(height)}px)`} data-picture>
      {chart === null && <Skeleton pos="absolute" inset={0} h="100%" />}
      <div ref={holder} role="img" aria-label={label} style={{ width: '100%', height: '100%' }} />
    </Box>
  );
}
