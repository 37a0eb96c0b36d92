import { Inject, Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type ClientBase } from 'pg';
import { type ActivityChange } from '../../kernel/activity/record-activity.js';
import { type Author } from '../../kernel/access/author.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { type Fields } from '../../platform/fields/values.js';
import { assertUnchanged } from '../../platform/http/read-only-fields.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type NamesInQuery } from '../../sql/ask/names-in-query.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { QuestionCheck } from '../questions/question-check.js';
import { maxQuestionLength, readQuestion, type SavedQuestion } from '../questions/question.js';
import { storedTags } from '../../platform/fields/tags.js';
import { oneWriterAtATime, assertRoom } from '../saved.repository.js';
import { disableAlertsOf } from '../alerts/alerts.service.js';
import { setFavourite } from '../favourite.js';
import { QUESTION_OF_NODE, type QuestionOfNode } from './question-of-node.js';
import { type CreateInsightBody, type SavedInsightDto, type ShownOn, type UpdateInsightBody } from './insight.dto.js';
import { logTiles, removeTiles, showOnlyOn } from './insight-tiles.js';
import { insightLog, questionChanges } from './question-changes.js';
import { InsightsRepository, insightTable, type InsightRow } from './insights.repository.js';

export const maxInsights = 5_000;

interface Described {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly definition: Definition;
}

/** A question, and the node from which it was made. */
interface Definition {
  readonly question: SavedQuestion;
  readonly query: Fields | null;
}

/** A question that its route would answer, with the names in it. */
interface CheckedQuestion extends Definition {
  readonly names: NamesInQuery;
}

interface Edit {
  readonly body: UpdateInsightBody;
  /** Null if the question does not change. */
  readonly checked: CheckedQuestion | null;
}

/** Creates, changes and deletes insights. */
@Injectable()
export class InsightsService {
  constructor(
    private readonly postgres: Postgres,
    private readonly rows: InsightsRepository,
    private readonly questions: QuestionCheck,
    @Inject(QUESTION_OF_NODE) private readonly readNode: QuestionOfNode,
  ) {}

  async create(project: ProjectContext, body: CreateInsightBody, author: Author): Promise<SavedInsightDto> {
    const checked = await this.read(project, body, null, author.now);
    if (checked === null) throw required('question');
    const tags = storedTags(body.tags ?? null);
    const insight = { name: body.name ?? '', description: body.description ?? '', tags, definition: checked };
    return oneWriterAtATime(this.postgres, project, async (client) => {
      await assertRoom(client, project, insightTable, { most: maxInsights, kind: 'insights' });
      const made = await insert(client, project, insight, checked.names, author);
      await setFavourite(client, insightTable, project, { id: made, userId: author.userId }, markOf(body));
      if (body.dashboards) await showOnlyOn(client, project, made, dashboardIds(body.dashboards), author);
      return this.rows.toDto(await this.rows.find(project, made, author.userId, client));
    });
  }

  async update(project: ProjectContext, id: number, body: UpdateInsightBody, author: Author): Promise<SavedInsightDto> {
    if (body.question === null && !body.query) throw required('question');
    const before = await this.rows.find(project, id, author.userId);
    const { query } = await this.rows.toDto(before);
    const shown = { ...definitionOf(before), query: query as Fields | null };
    const checked = await this.read(project, body, shown, author.now);
    await oneWriterAtATime(this.postgres, project, (client) =>
      this.change(client, project, id, { body, checked }, author),
    );
    return this.rows.get(project, id, author.userId);
  }

  /** Reads the question or the node of a body; null if it has neither, or those that are stored. */
  private async read(
    project: ProjectContext,
    { question: sent, query: node }: UpdateInsightBody,
    before: Definition | null,
    now: Date,
  ): Promise<CheckedQuestion | null> {
    const isNewNode = node && !isDeepStrictEqual(node, before?.query);
    const question = sent ? readQuestion(sent, 'question') : null;
    const isNewQuestion = question !== null && !isDeepStrictEqual(question, before?.question);
    if (isNewNode && isNewQuestion) throw invalidInput('query stands for a question: send one of both', 'query');
    if (isNewNode) {
      if (JSON.stringify(node).length > maxQuestionLength)
        throw invalidInput(`query must have at most ${maxQuestionLength} characters as JSON text`, 'query');
      const { naming, ...meant } = await this.readNode(node, 'query');
      const names = await naming(() => this.questions.checkParams(project, meant, now));
      return { question: meant, query: node as Fields, names };
    }
    if (!isNewQuestion) return null;
    return { question, query: null, names: await this.questions.check(project, question, 'question', now) };
  }

  /** Deletes an insight and its tiles; the log gets an entry for each dashboard that had one. */
  async delete(project: ProjectContext, id: number, author: Author): Promise<void> {
    await oneWriterAtATime(this.postgres, project, async (client) => {
      const { name } = await this.rows.find(project, id, author.userId, client);
      const shown = await removeTiles(client, project, id);
      await disableAlertsOf(client, project, id, author);
      await client.query(pgSql`DELETE FROM insights WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`);
      await insightLog.record(
        client,
        project,
        { id, activity: 'deleted', name, changes: insightLog.deleted() },
        author,
      );
      await logTiles(client, project, shown, { before: [{ insight_id: id }], after: [] }, author);
    });
  }

  private async change(
    client: ClientBase,
    project: ProjectContext,
    id: number,
    { body, checked }: Edit,
    author: Author,
  ): Promise<void> {
    const before = await this.rows.find(project, id, author.userId, client);
    assertUnchanged(body, await this.rows.toDto(before));
    await setFavourite(client, insightTable, project, { id, userId: author.userId }, markOf(body));
    // The list as it was read may be incomplete.
    if (body.dashboards && !isDeepStrictEqual(body.dashboards, before.dashboards))
      await showOnlyOn(client, project, id, dashboardIds(body.dashboards), author);
    const was = {
      name: before.name,
      description: before.description,
      tags: before.tags,
      definition: definitionOf(before),
    };
    const after = {
      name: body.name === undefined ? was.name : (body.name ?? ''),
      description: body.description ?? was.description,
      tags: body.tags === undefined ? was.tags : storedTags(body.tags),
      // Without a new question the stored one stays, even if another request has changed it since it was compared.
      definition: checked ?? was.definition,
    };
    const changes = changesOf(was, after);
    if (changes.length === 0) return;
    await client.query(
      pgSql`UPDATE insights SET name = ${bound(after.name)}, description = ${bound(after.description)},
         tags = ${bound(after.tags)}, updated_at = ${bound(author.now)}
       WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`,
    );
    if (checked !== null) {
      const { question, query, names } = checked;
      await client.query(
        pgSql`UPDATE insights SET type = ${bound(question.type)}, params = ${bound(JSON.stringify(question.params))},
           query = ${bound(query && JSON.stringify(query))},
           events = ${bound(names.events)}, event_properties = ${bound(names.eventProperties)},
           person_properties = ${bound(names.personProperties)}
         WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`,
      );
    }
    await insightLog.record(client, project, { id, activity: 'updated', name: after.name, changes }, author);
  }
}

const markOf = ({ favourite, favorited }: UpdateInsightBody): boolean | null | undefined => favourite ?? favorited;

const dashboardIds = (sent: readonly ShownOn[]): number[] => [
  ...new Set(sent.map((dashboard) => (typeof dashboard === 'number' ? dashboard : dashboard.id))),
];

const definitionOf = ({ type, params, query }: InsightRow): Definition => ({ question: { type, params }, query });

const insert = async (
  client: ClientBase,
  project: ProjectContext,
  { name, description, tags, definition: { question, query } }: Described,
  { events, eventProperties, personProperties }: NamesInQuery,
  author: Author,
): Promise<number> => {
  const { rows } = await client.query<{ id: number }>(
    pgSql`INSERT INTO insights (project_id, name, description, tags, type, params, query, events, event_properties, person_properties,
       created_by, created_at, updated_at)
     VALUES (${bound(project.id)}, ${bound(name)}, ${bound(description)}, ${bound(tags)}, ${bound(question.type)},
       ${bound(JSON.stringify(question.params))}, ${bound(query && JSON.stringify(query))}, ${bound(events)}, ${bound(eventProperties)},
       ${bound(personProperties)}, ${bound(author.userId)}, ${bound(author.now)}, ${bound(author.now)})
     RETURNING id`,
  );
  const id = rows[0]?.id ?? 0;
  const after = { name, description, type: question.type };
  await insightLog.record(
    client,
    project,
    { id, activity: 'created', name, changes: insightLog.created(after) },
    author,
  );
  return id;
};

const textsOf = ({ name, description, tags }: Described) => ({ name, description, tags });

const changesOf = (before: Described, after: Described): ActivityChange[] => {
  const texts = insightLog.differences(textsOf(before), textsOf(after));
  if (before.definition === after.definition) return texts;
  return [...texts, ...questionChanges(before.definition.question, after.definition.question)];
};
