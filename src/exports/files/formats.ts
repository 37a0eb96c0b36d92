export const exportFormats = ['ndjson', 'csv', 'parquet'] as const;

export type ExportFormat = (typeof exportFormats)[number];
