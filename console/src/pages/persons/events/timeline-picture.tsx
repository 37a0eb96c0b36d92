import { useElementSize } from '@mantine/hooks';
import { useProject } from '../../../address/project-context';
import { formatCount, formatDay, formatTime } from '../../../ui/format';
import { type TimelinePoint } from './timeline-query';
import classes from './timeline.module.css';

interface TimelinePictureProps {
  readonly points: readonly TimelinePoint[];
  readonly from: string;
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}

const height = 64;
const margin = 16;

/** The area of a circle grows with the number of events. */
const radiusOf = (events: number, most: number): number => 4 + 9 * Math.sqrt(events / Math.max(1, most));

/** The points over time. The arrow buttons below the picture reach each of them without a pointer. */
export function TimelinePicture({ points, from, chosen, onChoose }: TimelinePictureProps) {
  const { timezone } = useProject();
  const { ref, width } = useElementSize();
  const start = Date.parse(from);
  // Until the last point, because no property changed after it.
  const end = Math.max(Date.parse(points.at(-1)?.timestamp ?? from), start + 1);
  const x = (timestamp: string): number =>
    margin + ((Date.parse(timestamp) - start) / (end - start)) * Math.max(0, width - 2 * margin);
  const most = Math.max(...points.map(({ relevant_event_count: count }) => count));
  const isShort = end - start < 3 * 86_400_000;
  const edge = (moment: number): string => (isShort ? formatTime : formatDay)(new Date(moment), timezone);
  return (
    <div ref={ref}>
      <svg
        width="100%"
        height={height}
        role="img"
        aria-label={`${points.length} points between ${edge(start)} and ${edge(end)}`}
      >
        <line
          x1={margin}
          x2={Math.max(margin, width - margin)}
          y1={height / 2}
          y2={height / 2}
          className={classes.axis}
        />
        {points.map(({ timestamp, relevant_event_count: count }, index) => (
          <circle
            key={timestamp}
            cx={x(timestamp)}
            cy={height / 2}
            r={radiusOf(count, most)}
            className={index === chosen ? classes.chosen : classes.point}
            onClick={() => onChoose(index)}
          >
            <title>{`${formatTime(timestamp, timezone, { second: '2-digit' })}: ${formatCount(count, 'event')}`}</title>
          </circle>
        ))}
      </svg>
      <div className={classes.edges}>
        <span>{edge(start)}</span>
        <span>{edge(end)}</span>
      </div>
    </div>
  );
}
