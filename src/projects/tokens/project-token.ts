import { randomBase62 } from '../../platform/values/random-token.js';

const tokenLength = 43;

export const newProjectToken = (): string => `phc_${randomBase62(tokenLength)}`;
