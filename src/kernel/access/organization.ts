/**
 * The organization of the reference product's interface. An installation is one organization, so every installation has the same
 * id, and nothing is stored about it.
 */
export const organization = { id: '0199f5a2-0000-7000-8000-000000000001', name: 'Kohort', slug: 'kohort' } as const;
