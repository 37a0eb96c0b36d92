/** A case that cannot be put to our interface: it fails with this as the reason. */
export class NotExpressible extends Error {}
