/** The backup cannot be used or made; the message is one line for the operator. */
export class BackupFault extends Error {}
