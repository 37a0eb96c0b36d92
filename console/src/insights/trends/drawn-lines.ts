import { useCallback, useMemo, useState } from 'react';
import { colorsOf } from '../../charts/palette';

/** The lines that are drawn: at first so many, which have a colour of their own. Other names begin anew. */
export const useDrawnLines = (names: readonly string[], mostAtFirst: number) => {
  const key = JSON.stringify(names);
  const [chosen, setChosen] = useState<{ readonly key: string; readonly drawn: ReadonlySet<number> } | null>(null);
  const drawn = useMemo(
    () => (chosen?.key === key ? chosen.drawn : new Set(names.slice(0, mostAtFirst).map((_, line) => line))),
    [chosen, key, names, mostAtFirst],
  );
  const toggle = useCallback(
    (line: number) => {
      const changed = new Set(drawn);
      if (!changed.delete(line)) changed.add(line);
      setChosen({ key, drawn: changed });
    },
    [drawn, key],
  );
  return { colors: useMemo(() => colorsOf(drawn), [drawn]), toggle };
};
