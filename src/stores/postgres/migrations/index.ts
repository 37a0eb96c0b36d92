import { Foundation1763700000000 } from './1763700000000-foundation.js';

/** In the order they run. A migration that has left this repository is never edited. */
export const migrations = [Foundation1763700000000];
