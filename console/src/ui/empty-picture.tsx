/** Why a page is empty: nothing yet, nothing that matches, a wrong address, or a chart without numbers. */
export type EmptyKind = 'new' | 'search' | 'missing' | 'chart';

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 2, strokeLinecap: 'round' } as const;
const soft = { fill: 'var(--mantine-color-body)', stroke: 'currentColor', strokeWidth: 2 } as const;

/** In the colours of the page: the three circles of the mark, as they come, hide or are lost. */
export function EmptyPicture({ kind }: { readonly kind: EmptyKind }) {
  return (
    <svg width="112" height="72" viewBox="0 0 112 72" aria-hidden>
      <g color="light-dark(var(--mantine-color-gray-4), var(--mantine-color-dark-3))">
        {kind === 'chart' ? (
          <path {...line} d="M14 10v48h86M14 42h86M14 26h86" strokeDasharray="2 5" />
        ) : (
          <>
            <rect {...soft} x="14" y="12" width="84" height="48" rx="8" />
            <path {...line} d="M52 28h34M52 36h24M52 44h30" />
          </>
        )}
      </g>
      <g color="var(--mantine-primary-color-filled)">
        {kind === 'chart' && <path {...line} strokeWidth={2.5} d="M20 50l18-8 16 4 18-18 20 6" />}
        {kind === 'new' && (
          <>
            <circle cx="28" cy="31" r="5.5" fill="currentColor" />
            <circle cx="40" cy="31" r="5.5" fill="currentColor" opacity=".6" />
            <circle cx="34" cy="42" r="5.5" fill="currentColor" opacity=".3" />
          </>
        )}
        {kind === 'search' && (
          <>
            <circle {...soft} cx="34" cy="36" r="11" strokeWidth={2.5} />
            <path {...line} strokeWidth={2.5} d="M42 44l8 8" />
          </>
        )}
        {kind === 'missing' && (
          <>
            <circle {...line} cx="28" cy="31" r="5.5" strokeDasharray="3 3" />
            <circle {...line} cx="40" cy="31" r="5.5" strokeDasharray="3 3" />
            <circle {...line} cx="34" cy="42" r="5.5" strokeDasharray="3 3" />
          </>
        )}
      </g>
    </svg>
  );
}
