import { type Unit } from '../tree.js';

const units: Readonly<Record<string, Unit>> = Object.fromEntries(
  (['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const).flatMap((unit) => [
    [unit, unit],
    [`${unit}s`, unit],
  ]),
);

export const unitOf = (text: string): Unit | null => units[text.toLowerCase()] ?? null;
