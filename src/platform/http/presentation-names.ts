/** Names that clients of the reference product send for their own presentation. They change no answer. */
export const presentationNames: readonly string[] = [
  'client_query_id',
  'from_dashboard',
  'insight',
  'refresh',
  'session_id',
  'shown_as',
];
