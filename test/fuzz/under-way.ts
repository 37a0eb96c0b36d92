import { type Hold } from './measured-service.js';

interface Span {
  readonly index: number;
  readonly name: string;
  readonly from: number;
  to: number;
}

const remembered = 20_000;

/** Which requests were with the service at a time; the latest ones only. */
export class UnderWay {
  private readonly spans: Span[] = [];

  begin(index: number, name: string): () => void {
    const span: Span = { index, name, from: now(), to: Infinity };
    this.spans.push(span);
    if (this.spans.length > 2 * remembered) this.spans.splice(0, remembered);
    return () => {
      span.to = now();
    };
  }

  during({ at, wall_ms }: Hold): { index: number; name: string }[] {
    return this.spans
      .filter(({ from, to }) => from <= at + wall_ms && to >= at)
      .map(({ index, name }) => ({ index, name }));
  }

  open(): { index: number; name: string }[] {
    return this.spans.filter(({ to }) => to === Infinity).map(({ index, name }) => ({ index, name }));
  }
}

/** The same clock that the service writes its holds with. */
const now = (): number => performance.timeOrigin + performance.now();
