import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { countArrivals } from './event-days.js';

/** Completes the counts of the days of a project that gets a quota. */
@Injectable()
export class ArrivalCounting {
  /** Call it in a transaction that has locked the project, so that all writers of its events wait. */
  complete(client: ClientBase, projectId: number): Promise<void> {
    return countArrivals(client, projectId);
  }
}
