/**
 * Webhooks that this process works on at the same time. Those that are slow or fail may take half of the places, so that the
 * others never wait for them.
 */
export const webhookPlaces = { process: 64, slow: 32, project: 16, host: 8 } as const;

export interface Placed {
  readonly projectId: number;
  readonly host: string;
  readonly isSlow: boolean;
}

export class WebhookPlaces {
  private readonly taken = new Map<string, number>();

  /** Returns the function that gives the place back; null when there is none. */
  take({ projectId, host, isSlow }: Placed): (() => void) | null {
    const limits: [string, number][] = [
      ['process', webhookPlaces.process],
      [`project ${projectId}`, webhookPlaces.project],
      [`host ${host}`, webhookPlaces.host],
      ...(isSlow ? ([['slow', webhookPlaces.slow]] as [string, number][]) : []),
    ];
    if (limits.some(([name, most]) => this.count(name) >= most)) return null;
    for (const [name] of limits) this.taken.set(name, this.count(name) + 1);
    return () => {
      for (const [name] of limits) {
        const left = this.count(name) - 1;
        if (left > 0) this.taken.set(name, left);
        else this.taken.delete(name);
      }
    };
  }

  private count(name: string): number {
    return this.taken.get(name) ?? 0;
  }
}
