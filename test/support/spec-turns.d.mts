export const turns: number;
export const turnsOfFiles: (secondsOfFiles?: Readonly<Record<string, number>>) => ReadonlyMap<string, number>;
