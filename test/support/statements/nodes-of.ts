import { type ClientBase } from 'pg';

/** With this, Citus reports to a connection each command that it sends to a node for it. */
export const reportingNodes = '-c citus.log_remote_commands=on';

interface Running {
  readonly text: string;
}

/** To how many nodes of Citus statements go. Those that report it must be watched from their first statement on. */
export class NodesOfStatements {
  /** The most nodes of one run, by the text of the statement. */
  readonly most = new Map<string, number>();
  private readonly watched = new WeakSet<ClientBase>();

  watch(connection: ClientBase): void {
    if (this.watched.has(connection)) return;
    this.watched.add(connection);
    let last: Running | null = null;
    let nodes = new Set<string>();
    connection.on('notice', ({ message, detail }) => {
      const node = /^on server \S+@(\S+)/.exec(detail ?? '')?.[1];
      const { _activeQuery: running } = connection as unknown as { _activeQuery: Running | null };
      if (!message?.startsWith('issuing ') || !node || !running) return;
      if (running !== last) nodes = new Set();
      last = running;
      nodes.add(node);
      this.most.set(running.text, Math.max(this.most.get(running.text) ?? 0, nodes.size));
    });
  }
}
