import { useMatches } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { Blank } from './fallbacks';

/** Takes the place of the page at this address until it can be drawn. */
export function Outline(): ReactNode {
  return useMatches({ select: (matches) => matches.at(-1)?.staticData.outline }) ?? <Blank />;
}
