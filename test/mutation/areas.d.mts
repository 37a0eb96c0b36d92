export const areas: Readonly<Record<string, { readonly files: readonly string[]; readonly specs: readonly string[] }>>;
