import { type Bench } from './bench.js';
import { start } from './start.js';

export const benches: readonly Bench[] = [start];
