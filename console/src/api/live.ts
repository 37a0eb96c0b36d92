/** The answer of `events/live/summary`. */
export interface LiveSummary {
  readonly minutes: readonly { readonly minute: string; readonly count: number }[];
  readonly top_events: readonly { readonly event: string; readonly count: number }[];
  readonly persons: {
    readonly active_last_5_minutes: number;
    readonly latest: readonly {
      readonly person: {
        readonly id: number;
        readonly uuid: string;
        readonly name: string;
        readonly distinct_id: string;
      };
      readonly last_event: string;
      readonly last_seen_at: string;
    }[];
  };
  readonly as_of: string;
}
