import { isDeepStrictEqual } from 'node:util';
import { type ClientBase } from 'pg';
import {
  type Activity,
  type ActivityAuthor,
  type ActivityChange,
  type ActivityScope,
  recordActivity,
} from './record-activity.js';

interface ItemActivity extends Omit<Activity, 'scope' | 'itemId'> {
  readonly id: number | string;
}

/** Writes what is done to the items of one kind, such as actions, to the log of their project. */
export class ItemLog {
  constructor(private readonly scope: ActivityScope) {}

  created(after: unknown): ActivityChange[] {
    return [{ type: this.scope, action: 'created', field: null, before: null, after }];
  }

  deleted(): ActivityChange[] {
    return [{ type: this.scope, action: 'deleted', field: null, before: null, after: null }];
  }

  changed(field: string, before: unknown, after: unknown): ActivityChange {
    return { type: this.scope, action: 'changed', field, before, after };
  }

  /** One change for each field that differs. `shown` returns what the log may have of an item. */
  differences<T extends object>(
    before: T,
    after: T,
    shown: (item: T) => Readonly<Record<keyof T, unknown>> = (item) => item,
  ): ActivityChange[] {
    return (Object.keys(after) as (keyof T & string)[])
      .filter((field) => !isDeepStrictEqual(before[field], after[field]))
      .map((field) => this.changed(field, shown(before)[field], shown(after)[field]));
  }

  /** Must be called in the transaction of the change. */
  record(
    client: ClientBase,
    project: { readonly id: number },
    { id, ...activity }: ItemActivity,
    author: ActivityAuthor,
  ): Promise<void> {
    return recordActivity(client, project, { scope: this.scope, itemId: String(id), ...activity }, author);
  }
}
