export const turns: number;
export const turnsOfFiles: (
  secondsOfFiles?: Readonly<Record<string, number>>,
  count?: number,
) => ReadonlyMap<string, number>;
