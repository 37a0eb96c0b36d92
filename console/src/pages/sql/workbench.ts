import { isSameQuestion, type Written } from '../../insights/sql/written';

/** How an answer is shown. */
export type View = 'table' | 'chart' | 'explain';

/** A question that is being written, in a tab of its own. */
export interface Draft extends Written {
  readonly id: number;
  readonly view: View;
  /** The question that was asked last. */
  readonly asked?: Written | undefined;
  /** The saved insight that it is, or is a change of. */
  readonly insight?: number | undefined;
}

export interface Asked extends Written {
  readonly at: string;
}

export interface Workbench {
  readonly drafts: readonly Draft[];
  /** The id of the draft that is shown. */
  readonly open: number;
  /** What was asked, the latest first. */
  readonly past: readonly Asked[];
}

export const example = `select event, count() as events, count(distinct person_id) as persons
from events
where timestamp >= now() - interval 30 day
group by event
order by events desc`;

const mostPast = 50;
const mostDrafts = 12;

const firstDraft: Draft = { id: 1, text: example, values: {}, view: 'table' };

export const emptyWorkbench: Workbench = { drafts: [firstDraft], open: 1, past: [] };

export const openDraft = ({ drafts, open }: Workbench): Draft =>
  drafts.find(({ id }) => id === open) ?? drafts[0] ?? firstDraft;

export const changeDraft = (bench: Workbench, change: Partial<Omit<Draft, 'id'>>): Workbench => ({
  ...bench,
  drafts: bench.drafts.map((draft) => (draft.id === bench.open ? { ...draft, ...change } : draft)),
});

export const addDraft = (bench: Workbench, written: Written, insight?: number): Workbench => {
  const id = Math.max(0, ...bench.drafts.map((draft) => draft.id)) + 1;
  return {
    ...bench,
    drafts: [...bench.drafts, { ...written, id, view: 'table' as const, insight }].slice(-mostDrafts),
    open: id,
  };
};

/** The last draft leaves an empty one behind. */
export const closeDraft = (bench: Workbench, id: number): Workbench => {
  const at = bench.drafts.findIndex((draft) => draft.id === id);
  const drafts = bench.drafts.filter((draft) => draft.id !== id);
  if (drafts.length === 0) return addDraft({ ...bench, drafts: [] }, { text: '', values: {} });
  const next = drafts[Math.min(at, drafts.length - 1)]?.id ?? bench.open;
  return { ...bench, drafts, open: bench.open === id ? next : bench.open };
};

const isUntouched = ({ text, asked, insight }: Draft): boolean =>
  asked === undefined && insight === undefined && (text === example || text.trim() === '');

/** Shows a question in the tab that has it, in an untouched one, or in a new one. */
export const showQuestion = (bench: Workbench, written: Written, insight?: number): Workbench => {
  const known = bench.drafts.find(
    (draft) =>
      draft.insight === insight &&
      (isSameQuestion(draft, written) || (draft.asked !== undefined && isSameQuestion(draft.asked, written))),
  );
  if (known) return { ...bench, open: known.id };
  if (isUntouched(openDraft(bench))) return changeDraft(bench, { ...written, insight });
  return addDraft(bench, written, insight);
};

/** Remembers what the open draft asks. */
export const noteAsked = (bench: Workbench, asked: Asked): Workbench => ({
  ...changeDraft(bench, { asked: { text: asked.text, values: asked.values } }),
  past: [asked, ...bench.past.filter((one) => !isSameQuestion(one, asked))].slice(0, mostPast),
});

const keyOf = (projectId: string): string => `kohort.sql.${projectId}`;

/** Kept in this browser only, apart for each project. */
export const readWorkbench = (projectId: string): Workbench => {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(projectId)) ?? 'null') as Workbench | null;
    return kept && Array.isArray(kept.drafts) && kept.drafts.length > 0 && Array.isArray(kept.past)
      ? kept
      : emptyWorkbench;
  } catch {
    return emptyWorkbench;
  }
};

export const keepWorkbench = (projectId: string, bench: Workbench): void => {
  try {
    localStorage.setItem(keyOf(projectId), JSON.stringify(bench));
  } catch {
    // A browser without room: the drafts last as long as the page.
  }
};
