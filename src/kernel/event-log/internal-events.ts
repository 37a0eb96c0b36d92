/** Events that only change persons and groups, and say nothing about what a person did. */
export const internalEvents: readonly string[] = [
  '$create_alias',
  '$delete_person_property',
  '$groupidentify',
  '$identify',
  '$merge_dangerously',
  '$set',
];
