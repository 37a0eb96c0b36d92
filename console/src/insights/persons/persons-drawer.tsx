import { dialogOnDemand } from '../../ui/on-demand';

/** The persons behind a point of an insight: every number can be opened. */
export const PersonsDrawer = dialogOnDemand(async () => (await import('./persons-of-point')).PersonsOfPoint);
