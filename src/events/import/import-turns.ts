import { unavailable } from '../../common/errors/problem.js';

/**
 * Each import holds a connection to PostgreSQL for most of its time, and fills the queue in which captured events wait.
 */
const importsAtOnce = 4;
const retryAfterSeconds = 5;

/** Admits one import of a project at a time, and few of all projects. */
export class ImportTurns {
  private readonly running = new Set<number>();

  /** Returns a function that ends the import. */
  begin(projectId: number): () => void {
    if (this.running.has(projectId)) {
      throw unavailable('Another import of this project is running: try again when it has ended', retryAfterSeconds);
    }
    if (this.running.size >= importsAtOnce) {
      throw unavailable('Too many imports are running: try again', retryAfterSeconds);
    }
    this.running.add(projectId);
    return () => this.running.delete(projectId);
  }
}
