/**
 * Something in an accepted event that was read differently from how it was written. Users know the types by these names.
 */
export interface EventWarning {
  type:
    | 'cannot_merge_with_illegal_distinct_id'
    | 'cookieless_mode_not_supported'
    | 'event_timestamp_in_future'
    | 'illegal_distinct_id'
    | 'ignored_invalid_timestamp'
    | 'invalid_event_when_process_person_profile_is_false'
    | 'invalid_person_properties'
    | 'invalid_process_person_profile'
    | 'merge_without_other_distinct_id'
    | 'misnamed_event_field';
  detail: string;
}

export type EventWarnings = readonly EventWarning[];

/** Shared by nearly all events, which have no warnings. */
export const noWarnings: EventWarnings = [];
