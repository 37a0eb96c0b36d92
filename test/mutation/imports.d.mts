export const dependentsOf: (file: string) => ReadonlySet<string>;
