import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type Completion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands';
import { sql, SQLDialect } from '@codemirror/lang-sql';
import { bracketMatching, defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, Prec, type Extension } from '@codemirror/state';
import { darkHighlight } from './highlight';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react';
import { type Schemas } from '../../api/types';
import { useProjectId } from '../../address/project-context';
import { notifyProblem } from '../../ui/notify';
import { propertyText, schemaQuery } from './schema-tree';

/** What others do with the editor. */
export interface EditorHandle {
  /** Writes a name where the caret is, and gives the editor the focus. */
  readonly insert: (text: string) => void;
  /** Sets white space and lines in order, which undo takes back. */
  readonly format: () => void;
}

interface SqlEditorProps {
  readonly ref: Ref<EditorHandle>;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onRun: () => void;
  readonly fault: { readonly line: number; readonly column: number; readonly text: string } | null;
}

type QuerySchema = Schemas['QuerySchemaDto'];

const keywords =
  'select from where group by order having limit offset with as and or not in between like ilike is null case when then else end join left right inner full cross on using union all distinct asc desc interval over partition rows range cohort true false';

const theme = EditorView.theme({
  '&': { fontSize: '14px', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-2px' },
  '.cm-content': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    minHeight: '160px',
    caretColor: 'var(--mantine-color-text)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-scroller': { maxHeight: '50vh' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--mantine-color-dimmed)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--mantine-color-default-hover)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-primary-color-filled) 28%, transparent) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-md)',
  },
});

/** Tables, columns, properties and functions as completions. */
const languageOf = (data: QuerySchema): Extension => {
  const propertyOptions = (prefix: string, names: readonly { name: string }[]): Completion[] =>
    names.map(({ name }) => ({
      label: propertyText(prefix, name),
      type: 'property',
    }));
  const tables = Object.fromEntries(
    data.tables.map(({ name, columns }) => [
      name,
      columns.map((column) => ({
        label: column.name,
        type: 'property',
        detail: column.type,
        info: column.description,
      })),
    ]),
  );
  const dialect = SQLDialect.define({ keywords, builtin: data.functions.map(({ name }) => name).join(' ') });
  const language = sql({ dialect, schema: tables, defaultTable: 'events', upperCaseKeywords: false });
  const others: Completion[] = [
    ...propertyOptions('properties', data.properties.event),
    ...propertyOptions('person.properties', data.properties.person),
    ...data.functions.map(({ name, description }) => ({
      label: name,
      type: 'function',
      info: description,
      apply: `${name}(`,
    })),
  ];
  const words = language.language.data.of({
    autocomplete: (context: { matchBefore(pattern: RegExp): { from: number } | null; explicit: boolean }) => {
      const word = context.matchBefore(/[\w$.]{1,200}/);
      return word || context.explicit ? { from: word?.from ?? 0, options: others, validFor: /^[\w$.]*$/ } : null;
    },
  });
  return [language, words];
};

/** Completes tables, columns, properties and functions from the service's own description of its dialect. */
const useLanguage = () => {
  const projectId = useProjectId();
  const { data } = useQuery(schemaQuery(projectId));
  return useMemo(() => (data ? languageOf(data) : sql({ dialect: SQLDialect.define({ keywords }) })), [data]);
};

/** A name after a word needs a space before it. */
const insertInto = (view: EditorView, text: string): void => {
  const { from } = view.state.selection.main;
  const isAfterWord = /[\w)'\]]/.test(view.state.sliceDoc(Math.max(0, from - 1), from));
  view.dispatch(view.state.replaceSelection(isAfterWord ? ` ${text}` : text), { scrollIntoView: true });
  view.focus();
};

const format = async (view: EditorView): Promise<void> => {
  const text = view.state.doc.toString();
  if (text.trim() === '') return;
  try {
    const { formatted } = await import('./formatter');
    const insert = formatted(text);
    // What was typed meanwhile stays.
    if (view.state.doc.toString() === text)
      view.dispatch({ changes: { from: 0, to: text.length, insert }, annotations: isolateHistory.of('full') });
  } catch {
    notifyProblem(
      new Error('The question cannot be formatted: it is not complete, or has a mistake. Run it to see where.'),
    );
  }
  view.focus();
};

export default function SqlEditor({ ref, value, onChange, onRun, fault }: SqlEditorProps) {
  const holder = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  const [parts] = useState(() => ({ language: new Compartment(), colors: new Compartment() }));
  const latest = useRef({ onChange, onRun });
  const initial = useRef(value);
  const language = useLanguage();
  const scheme = useComputedColorScheme('light');

  useImperativeHandle(
    ref,
    () => ({
      insert: (text) => view && insertInto(view, text),
      format: () => view && void format(view),
    }),
    [view],
  );

  useEffect(() => {
    latest.current = { onChange, onRun };
  }, [onChange, onRun]);

  useEffect(() => {
    if (!holder.current) return;
    const made = new EditorView({
      parent: holder.current,
      state: EditorState.create({
        doc: initial.current,
        extensions: [
          Prec.highest(
            keymap.of([
              {
                key: 'Mod-Enter',
                run: () => {
                  latest.current.onRun();
                  return true;
                },
              },
              {
                key: 'Shift-Alt-f',
                run: (target) => {
                  void format(target);
                  return true;
                },
              },
            ]),
          ),
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          bracketMatching(),
          closeBrackets(),
          autocompletion(),
          lintGutter(),
          EditorView.lineWrapping,
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          parts.language.of([]),
          parts.colors.of([]),
          theme,
          EditorView.contentAttributes.of({ 'aria-label': 'The question in SQL' }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.onChange(state.doc.toString());
          }),
        ],
      }),
    });
    setView(made);
    return () => made.destroy();
  }, [parts]);

  useEffect(() => {
    view?.dispatch({ effects: parts.language.reconfigure(language) });
  }, [view, parts, language]);

  useEffect(() => {
    const style = scheme === 'dark' ? darkHighlight : defaultHighlightStyle;
    view?.dispatch({ effects: parts.colors.reconfigure(syntaxHighlighting(style)) });
  }, [view, parts, scheme]);

  useEffect(() => {
    if (!view) return;
    if (!fault) {
      view.dispatch(setDiagnostics(view.state, []));
      return;
    }
    const line = view.state.doc.line(Math.min(fault.line, view.state.doc.lines));
    const from = Math.min(line.from + fault.column - 1, line.to);
    const word = view.state.wordAt(from);
    view.dispatch(
      setDiagnostics(view.state, [
        {
          from,
          to: word ? word.to : Math.min(from + 1, view.state.doc.length),
          severity: 'error',
          message: fault.text,
        },
      ]),
    );
  }, [view, fault]);

  return <div ref={holder} />;
}
