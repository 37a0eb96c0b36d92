/** Thrown to end work early because the process stops or another one has taken over. No failure: the next round continues. */
export class WorkEnded extends Error {}
