import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type EventCounting } from '../../projects/event-counting.js';
import { countArrivals } from './event-days.js';

/** Completes the count of a project that gets a quota. */
@Injectable()
export class ArrivalCounting implements EventCounting {
  complete(client: ClientBase, projectId: number): Promise<void> {
    return countArrivals(client, projectId);
  }
}
