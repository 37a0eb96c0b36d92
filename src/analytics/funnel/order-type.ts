export const orderTypes = ['ordered', 'strict', 'unordered'] as const;

export type OrderType = (typeof orderTypes)[number];
