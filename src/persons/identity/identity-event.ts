export type Properties = Readonly<Record<string, unknown>>;

/** The same key never stands in two places. */
export interface PropertyChanges {
  /** Written where there is no such key, and otherwise only if the event changes something else as well. */
  readonly momentary?: Properties;
  readonly set: Properties;
  readonly setOnce: Properties;
  readonly unset: readonly string[];
}

/** What identity needs to know of a new event. */
export interface IdentityEvent {
  readonly uuid: string;
  readonly event: string;
  readonly distinctId: string;
  readonly timestamp: Date;
  /** `process: false`: the event makes and changes no person. */
  readonly person: PropertyChanges & { readonly process: boolean };
  /** The person of `otherDistinctId` shall become part of the event's own person. */
  readonly merge: {
    /** `import`: the ids are one person's, which says nothing of whether they are a known user's. */
    readonly kind: 'identify' | 'alias' | 'merge_dangerously' | 'import';
    readonly otherDistinctId: string;
  } | null;
  /** The event's person is a known user from now on. */
  readonly identifies: boolean;
  /** The person exists since the event's time, also one that was made before. */
  readonly datesPerson?: boolean;
}

/** What an event asked for and did not get; the event itself is kept. The types are the names users know. */
export interface IdentityWarning {
  readonly type: 'cannot_merge_already_identified' | 'person_properties_too_large';
  readonly detail: string;
  readonly eventUuid: string;
  readonly distinctId: string;
}
