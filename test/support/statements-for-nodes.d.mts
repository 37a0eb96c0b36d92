export const logsStatementsForNodes: string;
export const sentToSeveralNodes: (log: string) => string[];
