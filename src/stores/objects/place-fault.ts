/** A folder or a bucket cannot be used; the message is one line for the operator. */
export class PlaceFault extends Error {}
