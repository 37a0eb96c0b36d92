/** Why two persons were merged: the kind of the event, or a request. */
export const mergeReasons = ['identify', 'alias', 'merge_dangerously', 'import', 'by_hand'] as const;

export type MergeReason = (typeof mergeReasons)[number];

export type Properties = Readonly<Record<string, unknown>>;

/** Each key occurs in at most one of these fields. */
export interface PropertyChanges {
  /** Written where the key is missing; an existing value is replaced only if the event changes something else as well. */
  readonly momentary?: Properties;
  readonly set: Properties;
  readonly setOnce: Properties;
  readonly unset: readonly string[];
}

/** The parts of a new event that identity needs. */
export interface IdentityEvent {
  readonly uuid: string;
  readonly event: string;
  readonly distinctId: string;
  readonly timestamp: Date;
  /** `process: false` means that the event makes and changes no person. */
  readonly person: PropertyChanges & { readonly process: boolean };
  /** The person of `otherDistinctId` is merged into the event's own person. */
  readonly merge: {
    /** `import` means that the ids belong to one person, whether or not that person is a known user. */
    readonly kind: Exclude<MergeReason, 'by_hand'>;
    readonly otherDistinctId: string;
  } | null;
  /** True if the event's person is a known user from now on. */
  readonly identifies: boolean;
  /** True if the person's creation date moves back to the event's time when that is earlier. */
  readonly datesPerson?: boolean;
}

/** A refused change, which an event requested; the event itself is stored. Users see these types. */
export interface IdentityWarning {
  readonly type: 'cannot_merge_already_identified' | 'person_properties_too_large';
  readonly detail: string;
  readonly eventUuid: string;
  readonly distinctId: string;
}
