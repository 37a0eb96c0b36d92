const lineBytes = 37;

/** A list of uuids that is read in slices. A list of strings is one, too. */
export interface Uuids {
  readonly length: number;
  readonly slice: (from: number, to: number) => readonly string[];
}

/** The uuids of an answer in TSV. They stay bytes until they are read, because strings of a million would hold up other requests. */
export class UuidLines implements Uuids {
  constructor(private readonly lines: Buffer) {}

  get length(): number {
    return this.lines.length / lineBytes;
  }

  slice(from: number, to: number): readonly string[] {
    return this.lines
      .toString('latin1', from * lineBytes, to * lineBytes)
      .split('\n')
      .slice(0, -1);
  }
}
