import { PlaceFault } from '../../stores/objects/place-fault.js';

/** The backup cannot be used or made; the message is one line for the operator. */
export class BackupFault extends PlaceFault {}
