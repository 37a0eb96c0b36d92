import { type Properties } from '../identity/identity-event.js';
import { PersonProperties } from '../identity/person-properties.js';

export interface PersonState {
  readonly properties: Properties;
  readonly isIdentified: boolean;
  /** Null until an event of the person is known: records of merges had no time for a person of the same transaction. */
  readonly createdAt: Date | null;
}

/** A person while its history is lived through again. */
export class ReplayedPerson {
  readonly properties: PersonProperties;
  isIdentified: boolean;
  createdAt: Date | null;
  private partOf: ReplayedPerson | null = null;

  constructor(
    readonly id: string,
    base: PersonState,
    readonly since: Date,
  ) {
    this.properties = new PersonProperties(base.properties);
    this.isIdentified = base.isIdentified;
    this.createdAt = base.createdAt;
    this.isMade = base.createdAt === null;
  }

  /** Whether events that were committed together with the first record made the person. */
  private readonly isMade: boolean;

  get final(): ReplayedPerson {
    if (this.partOf === null) return this;
    let last = this.partOf;
    while (last.partOf !== null) last = last.partOf;
    return last;
  }

  /** An event that was committed with the making of the person can make it older. */
  madeBy(time: Date): void {
    if (!this.isMade) return;
    this.existsSince(time);
    this.final.existsSince(time);
  }

  mergeFrom(other: ReplayedPerson): void {
    other.partOf = this;
    if (other.createdAt) this.existsSince(other.createdAt);
    this.properties.complete(other.properties);
  }

  private existsSince(time: Date): void {
    if (this.createdAt === null || time < this.createdAt) this.createdAt = time;
  }
}
