import { whileShipping, type ShippingStores } from '../while-shipping.js';
import { rebuildProjection, type OnProgress } from './follow.js';
import { type Rebuild } from './rebuild-log.js';

/**
 * Used by a command line that has ClickHouse to itself, or shares a server. It does the work itself unless another
 * process ships.
 */
export const rebuildHere = (stores: ShippingStores, onProgress?: OnProgress): Promise<Rebuild> =>
  whileShipping(stores, () => rebuildProjection(stores.postgres, new Date(), onProgress));
