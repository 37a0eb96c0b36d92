/** Thrown where work ends early because the process stops or another one has taken over. It is no failure: the next round continues. */
export class WorkEnded extends Error {}
